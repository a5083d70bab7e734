import type { Language } from '../rules/report.ts'
import { en, type TextKey } from './texts-en.ts'
import { ko } from './texts-ko.ts'

const languages: Record<Language, Readonly<Record<TextKey, string>>> = { en, ko }

export type { TextKey }

export type Say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string

/** Returns the texts of one language. Throws for a `{name}` without a value, so that none is ever printed. */
export function wordsOf(lang: Language): Say {
  const texts = languages[lang]
  return (key, values = {}) =>
    texts[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name]
      if (value === undefined) throw new Error(`the text ${key} needs "${name}"`)
      return String(value)
    })
}

/** All texts, for tests that both languages can be drawn. */
export const allTexts = languages
