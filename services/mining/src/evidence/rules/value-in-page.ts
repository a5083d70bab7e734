/** Returns the text of a page: tags removed, common entities decoded, white space collapsed. */
function plain(page: string): string {
  return page
    .replace(/<[^<>]{0,2000}>/g, ' ')
    .replace(
      /&(amp|lt|gt|quot|apos|nbsp|#39|#x27);/gi,
      (_all, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' })[name.toLowerCase()] ?? "'",
    )
}

/** Omits Unicode normalization, whose time grows with the square of the length of a hostile page. */
const fold = (text: string) => text.toLowerCase().replace(/\s+/g, ' ')

/**
 * Whether a page contains a submitted value, in its text or in its markup (links). Ignores case and white space; a number
 * must stand alone, with or without thousands separators.
 */
export function valueInPage(value: string, page: string): boolean {
  const wanted = fold(value)
  const texts = [fold(plain(page)), fold(page)]
  if (/^\d+$/.test(wanted)) {
    const digits = new RegExp(`(?<![\\d.])${wanted}(?!\\d)(?!\\.\\d)`)
    return texts.some((text) => digits.test(text) || digits.test(text.replace(/(?<=\d)[,_'’](?=\d{3})/g, '')))
  }
  const needle = wanted.startsWith('https://') ? wanted.replace(/^https:\/\/(www\.)?/, '').replace(/\/$/, '') : wanted
  return texts.some((text) => text.includes(needle))
}
