import { defineWords } from '../../i18n/index.tsx'
import type { Answer } from '../../lib/routes-of-api.ts'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** Says that prices are recorded or made up; nothing for real ones. */
export function SourceNote({ source }: Pick<Answer<'GET /board'>, 'source'>) {
  const words = useWords()
  return source === 'live' ? null : <>{source === 'replay' ? words.replay : words.mixed}</>
}
