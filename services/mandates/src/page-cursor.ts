/** Opaque cursor of a place in a list. */
export function toCursor(place: number | null): string | null {
  return place === null ? null : Buffer.from(String(place)).toString('base64url')
}

/** The place of a cursor, or null when `toCursor` did not make it. */
export function fromCursor(cursor: string): number | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

const ACTIVITY =
  /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)\|((?:entry:\d{19}|transfer|cherry|deposit:0x[0-9a-f]{64}):\d{19})$/

/** Opaque cursor of an instant and a place in it. */
export const toActivityCursor = ({ at, place }: { readonly at: string; readonly place: string }): string =>
  Buffer.from(`${at}|${place}`).toString('base64url')

/** The instant and place of a cursor, or null when `toActivityCursor` did not make it. */
export function fromActivityCursor(cursor: string): { readonly at: string; readonly place: string } | null {
  const [, at, place] = ACTIVITY.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? []
  if (at === undefined || place === undefined || Number.isNaN(Date.parse(at))) return null
  return { at, place }
}
