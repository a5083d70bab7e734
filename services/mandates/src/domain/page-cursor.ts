/** Opaque cursor of a place in a list. */
export function toCursor(place: number | null): string | null {
  return place === null ? null : Buffer.from(String(place)).toString('base64url')
}

/** The place of a cursor, or null when `toCursor` did not make it. */
export function fromCursor(cursor: string): number | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}
