import { defineWords } from '../../i18n/index.tsx'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** The name of an exchange in the language of the reader, or else as the answer names it. */
export function ExchangeName({ mic, title }: { readonly mic: string; readonly title: string }) {
  const words = useWords()
  return <bdi>{words[mic] ?? title}</bdi>
}
