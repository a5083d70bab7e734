/** Returns the opaque cursor of a place in a list. */
export const toCursor = (place: number): string => Buffer.from(String(place)).toString('base64url')

/** Returns the place of a cursor; null for text that `toCursor` did not write. */
export function fromCursor(cursor: string): number | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  return /^[1-9]\d{0,14}$/.test(text) && toCursor(Number(text)) === cursor ? Number(text) : null
}
