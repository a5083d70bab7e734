/** Opaque cursor of a place in a list; null stays null. */
export function toCursor(place: readonly number[] | null): string | null {
  return place === null ? null : Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** The `size` numbers of a cursor, or null when it was not made by `toCursor`. */
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
