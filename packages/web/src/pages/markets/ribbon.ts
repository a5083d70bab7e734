import type { SessionView } from '@svc/contracts/hl-relay/station'

const HOUR_MS = 3_600_000
/** Hours that the ribbon shows, from the time of the answer on. */
export const RIBBON_HOURS = 24

/** Time of an exchange on the ribbon, as shares of its width. */
export interface Piece {
  readonly kind: 'open' | 'opens'
  readonly from: number
  readonly to: number
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share))

/** Returns when an exchange trades in the 24 hours from `start` on. Of the next session only the beginning is known. */
export function piecesOf(
  session: Pick<SessionView, 'opens_at' | 'closes_at' | 'next_opens_at'>,
  start: number,
): Piece[] {
  const share = (text: string) => (Date.parse(text) - start) / (RIBBON_HOURS * HOUR_MS)
  const pieces: Piece[] = []
  if (session.opens_at !== null && session.closes_at !== null) {
    const [from, to] = [clamp(share(session.opens_at)), clamp(share(session.closes_at))]
    if (to > from) pieces.push({ kind: 'open', from, to })
  }
  const next = share(session.next_opens_at)
  if (next >= 0 && next < 1) pieces.push({ kind: 'opens', from: next, to: 1 })
  return pieces
}

/** Full hours on the ribbon at each `every` hours of the UTC day, with their place. */
export function hoursOf(start: number, every = 6): readonly { readonly hour: number; readonly at: number }[] {
  const first = Math.ceil(start / HOUR_MS)
  return Array.from({ length: RIBBON_HOURS + 1 }, (_, at) => first + at)
    .filter((hour) => hour % every === 0 && hour * HOUR_MS <= start + RIBBON_HOURS * HOUR_MS)
    .map((hour) => ({ hour: hour % 24, at: clamp((hour * HOUR_MS - start) / (RIBBON_HOURS * HOUR_MS)) }))
}
