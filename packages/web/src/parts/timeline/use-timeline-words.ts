import { defineWords } from '../../i18n/index.tsx'
import { en, type TimelineWords } from './words.ts'

/** Returns what the kinds of entries are called, in the language of the reader. */
export const useTimelineWords: () => TimelineWords = defineWords(en, () => import('./words.ko.ts'))
