/** Returns an opaque cursor of a position in a list; null for null. */
export function toCursor(place: readonly number[] | null): string | null {
  return place === null ? null : Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Returns the `size` numbers of a cursor; null unless `toCursor` made it. */
export function fromCursor(cursor: string, size: number): number[] | null {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    const sane =
      Array.isArray(place) &&
      place.length === size &&
      place.every((part) => typeof part === 'number' && Number.isFinite(part))
    return sane ? (place as number[]) : null
  } catch {
    return null
  }
}
