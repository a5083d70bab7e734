import type { CallMeaning } from '@svc/limits'

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
}

const ONE = 1_000_000n
const roundedUp = (part: bigint, whole: bigint): bigint => (part + whole - 1n) / whole

/** Returns what a call leads to from the worth now. A part that the service does not know is unknown here. */
export function outlookOf(meaning: CallMeaning, quote: Quote | null, worth: bigint | null): Outlook {
  const { pays, units, least, acceptsAnyPrice } = meaning
  const fails = quote !== null && least !== null && quote.gets < least
  const after = worth === null || quote === null ? null : worth + quote.effect
  if (pays !== null && least !== null) {
    const price = quote === null || quote.gets === 0n ? null : roundedUp(pays * ONE, quote.gets)
    // With no price limit nothing at all may come back for what is paid.
    if (acceptsAnyPrice) return { price, after, worst: worth === null ? null : worth - pays, fails }
    const exit = quote === null || quote.gets === 0n ? null : ((pays + quote.effect) * least) / quote.gets
    return { price, after, worst: worth === null || exit === null ? null : worth - pays + exit, fails }
  }
  if (units !== null && least !== null && quote !== null) {
    const price = units === 0n ? null : (quote.gets * ONE) / units
    const worst = worth === null || after === null ? null : after - quote.gets + (acceptsAnyPrice ? 0n : least)
    return { price, after, worst, fails }
  }
  return { price: null, after, worst: null, fails }
}
