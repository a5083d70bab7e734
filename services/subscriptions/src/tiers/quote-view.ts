import type { Quote } from './rules/quote.ts'

/** Returns the wire form of a quote. */
export function quoteView(quoted: Quote) {
  return {
    tier: quoted.tier,
    months: quoted.months,
    action: quoted.action,
    price: quoted.price,
    credit: quoted.credit,
    charge: quoted.charge,
    leftover: quoted.leftover,
    leftover_seconds: quoted.leftoverSeconds,
    started_at: quoted.next.startedAt.toISOString(),
    ends_at: quoted.next.endsAt.toISOString(),
  }
}
