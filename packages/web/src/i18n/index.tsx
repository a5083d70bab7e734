import { useSyncExternalStore } from 'react'
import { chooseLang, lang, type Lang } from '../lib/preferences.ts'
import { en, type SharedWords } from './en.ts'

/** Returns the language of the pages. */
export const useLang = (): Lang => useSyncExternalStore(lang.subscribe, lang.get)

/** What loads the Korean words of every part that was shown. */
const shown = new Set<() => Promise<void>>()

/** Changes the language once the words of all that was shown are here, so that no part of the page goes blank meanwhile. */
export async function changeLang(value: Lang): Promise<void> {
  if (value === 'ko') await Promise.all([...shown].map((load) => load()))
  chooseLang(value)
}

/**
 * Returns a hook for the words of a page in the language of the reader. Korean words are a chunk of their own; the
 * nearest `Suspense` waits for them. A missing key is a type error of the Korean file.
 */
export function defineWords<W>(english: W, loadKorean: () => Promise<{ readonly ko: W }>): () => W {
  let korean: W | null = null
  let failure: unknown = null
  let loading: Promise<void> | null = null
  const load = () => {
    loading ??= loadKorean().then(
      ({ ko }) => {
        korean = ko
      },
      (error: unknown) => {
        loading = null
        failure = error
      },
    )
    return loading
  }
  return function useWordsOf() {
    shown.add(load)
    if (useLang() === 'en') return english
    if (korean !== null) return korean
    if (failure !== null) {
      // English is better than no page; the next visit tries again.
      failure = null
      return english
    }
    throw load()
  }
}

/** Returns the words that all pages share. */
export const useShared: () => SharedWords = defineWords(en, () => import('./ko.ts'))
