import { defineWords } from '../../i18n/index.tsx'
import { Coming } from '../../parts/coming/coming.tsx'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** The statement of one mandate. */
export default function Statement() {
  const words = useWords()
  return <Coming title={words.title} paths={['GET /hub/mandates/{id}/statement']} />
}
