import { openStore } from './store.ts'

export type Lang = 'en' | 'ko'
export type Theme = 'light' | 'dark'

/** Keeps a preference for the next visit. */
function keep(name: 'theme' | 'lang', value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // A browser that stores nothing still shows the choice until the page is left.
  }
}

const root = document.documentElement

/** Language of the pages; the first one was chosen before the first paint. */
export const lang = openStore<Lang>(root.lang === 'ko' ? 'ko' : 'en')

/** Chooses the language of the pages. */
export function chooseLang(value: Lang): void {
  root.lang = value
  keep('lang', value)
  lang.set(value)
}

/** Returns the theme that is shown now. */
export function shownTheme(): Theme {
  const chosen = root.dataset['theme']
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Chooses the theme of the pages. */
export function chooseTheme(value: Theme): void {
  root.dataset['theme'] = value
  keep('theme', value)
}
