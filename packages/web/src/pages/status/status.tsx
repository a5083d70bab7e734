import { defineWords } from '../../i18n/index.tsx'
import { Coming } from '../../parts/coming/coming.tsx'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** What works now. */
export default function Status() {
  const words = useWords()
  return <Coming title={words.title} paths={['GET /hub/status/workers']} />
}
