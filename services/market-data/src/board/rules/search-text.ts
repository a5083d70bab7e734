/** What a search compares: composed Hangul, small letters, no spaces (venues write 비트코인캐시 with and without one). */
export const searchText = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll(/\s+/gu, '')

interface Named {
  readonly symbol: string
  readonly name: string | null
  readonly name_ko: string | null
}

/** Separates the texts of a pair, so that no match spans two of them. */
const BETWEEN = '\n'

/** Returns everything by which a pair is found. */
export const textOf = ({ symbol, name, name_ko }: Named): string =>
  [symbol, name ?? '', name_ko ?? ''].map(searchText).join(BETWEEN)
