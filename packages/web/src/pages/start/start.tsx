import { defineWords } from '../../i18n/index.tsx'
import { Coming } from '../../parts/coming/coming.tsx'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** From limits to a working mandate. */
export default function Start() {
  const words = useWords()
  return <Coming title={words.title} paths={['POST /hub/mandates/draft']} />
}
