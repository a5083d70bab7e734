import { defineWords } from '../../i18n/index.tsx'
import { en } from './words.ts'

/** Returns the words of the page in the language of the reader. */
export const useWords = defineWords(en, () => import('./words.ko.ts'))
