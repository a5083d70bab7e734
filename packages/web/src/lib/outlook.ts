import type { CallMeaning } from '@svc/limits/call-meaning'

/** What the venue would give a call now, in base units: units of a purchase, USDC of a sale; and what it does to the worth. */
export interface Quote {
  readonly gets: bigint
  readonly effect: bigint
}

/** What a held call leads to. Base units; null is unknown. */
export interface Outlook {
  /** Price now for a whole unit, with the fee, rounded against the caller. */
  readonly price: bigint | null
  /** Worth after the call at the price now. */
  readonly after: bigint | null
  /** Worth after the call at the worst price that it accepts, while the price of the market stays as it is. */
  readonly worst: bigint | null
  /** At the price now the venue would refuse the call: it gets less than the least that the call accepts. */
  readonly fails: boolean
  /** At the worst price at least half of what is given would be lost: the least protects nobody. */
  readonly isUnprotected: boolean
}

const ONE = 1_000_000n
const roundedUp = (part: bigint, whole: bigint): bigint => (part + whole - 1n) / whole

/**
 * Returns what a call leads to from the worth now. A part that the service does not know is unknown here, and so is the worst of
 * a call that the venue would refuse now.
 */
export function outlookOf(meaning: CallMeaning, quote: Quote | null, worth: bigint | null): Outlook {
  const { pays, units, least, acceptsAnyPrice } = meaning
  const fails = quote !== null && least !== null && quote.gets < least
  const plus = (change: bigint | null) => (worth === null || change === null ? null : worth + change)
  const after = plus(quote?.effect ?? null)
  const outlook = (price: bigint | null, given: bigint | null, back: bigint | null): Outlook => ({
    price,
    after,
    worst: fails || given === null || back === null ? null : plus(back - given),
    fails,
    isUnprotected: acceptsAnyPrice || (!fails && given !== null && back !== null && back * 2n < given),
  })
  if (pays !== null && least !== null) {
    const price = quote === null || quote.gets === 0n ? null : roundedUp(pays * ONE, quote.gets)
    // With no price limit nothing at all may come back for what is paid.
    if (acceptsAnyPrice) return outlook(price, pays, 0n)
    return outlook(
      price,
      pays,
      quote === null || quote.gets === 0n ? null : ((pays + quote.effect) * least) / quote.gets,
    )
  }
  if (units !== null && least !== null && quote !== null) {
    const price = units === 0n ? null : (quote.gets * ONE) / units
    return outlook(price, quote.gets - quote.effect, acceptsAnyPrice ? 0n : least)
  }
  return outlook(null, null, null)
}
