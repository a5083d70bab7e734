import { defineWords } from '../../i18n/index.tsx'
import { Coming } from '../../parts/coming/coming.tsx'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** The mandates of the owner. */
export default function Mandates() {
  const words = useWords()
  return <Coming title={words.title} paths={['GET /hub/mandates']} />
}
