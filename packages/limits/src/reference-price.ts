/** Prices of one reading of a market, decimal text. A side of the book without an offer is null. */
export interface MarketReading {
  readonly mark: string
  readonly bid: string | null
  readonly ask: string | null
}

/** Digits after the point of an amount of USDC. */
const USDC_DIGITS = 6
const PLAIN = /^(\d+)(?:\.(\d+))?$/

/** A figure without loss: `units` of 10^-`digits`. */
interface Fixed {
  readonly units: bigint
  readonly digits: number
}

/**
 * Returns the reference price of an order, by which its notional counts: the highest of the worst price that it accepts, the
 * mark, the middle of the book, and for a sell the best bid. A buy fills at its worst price or below; a sell fills at its
 * worst price or above, which bounds nothing, so that the book it meets does. All prices come from one reading. Throws
 * RangeError for text that is no plain decimal.
 */
export function referencePrice(side: 'buy' | 'sell', worstPrice: string, { mark, bid, ask }: MarketReading): string {
  const middle = bid === null || ask === null ? [] : [middleOf(bid, ask)]
  const first = side === 'sell' && bid !== null ? [bid] : []
  return [mark, ...middle, ...first].reduce((high, price) => (isAbove(price, high) ? price : high), worstPrice)
}

/**
 * Returns the greatest size on the lot of a market that is worth at most an amount of USDC at a price; `0` for less than a
 * lot. Throws RangeError for text that is no plain decimal, and for a price of zero.
 */
export function sizeWithin(amountUsdc: string, price: string, sizeDecimals: number): string {
  const [amount, divisor] = [fixed(amountUsdc), fixed(price)]
  const wanted = amount.units * power(divisor.digits + sizeDecimals)
  return textOf({ units: wanted / (divisor.units * power(amount.digits)), digits: sizeDecimals })
}

/** Returns size × price as an amount of USDC, rounded up to micro-dollars. Throws RangeError for text that is no plain decimal. */
export function notionalAt(size: string, price: string): string {
  const [one, other] = [fixed(size), fixed(price)]
  const product = one.units * other.units * power(USDC_DIGITS)
  const divisor = power(one.digits + other.digits)
  return textOf({ units: (product + divisor - 1n) / divisor, digits: USDC_DIGITS })
}

function middleOf(bid: string, ask: string): string {
  const [one, other] = [fixed(bid), fixed(ask)]
  const digits = Math.max(one.digits, other.digits)
  const sum = scaled(one, digits) + scaled(other, digits)
  // A half has one digit more.
  return textOf({ units: sum * 5n, digits: digits + 1 })
}

function isAbove(price: string, than: string): boolean {
  const [one, other] = [fixed(price), fixed(than)]
  const digits = Math.max(one.digits, other.digits)
  return scaled(one, digits) > scaled(other, digits)
}

const power = (digits: number): bigint => 10n ** BigInt(digits)
const scaled = ({ units, digits }: Fixed, to: number): bigint => units * power(to - digits)

function fixed(text: string): Fixed {
  const [, whole, fraction = ''] = PLAIN.exec(text) ?? []
  if (whole === undefined) throw new RangeError(`not a plain decimal figure: ${text.slice(0, 60)}`)
  return { units: BigInt(whole + fraction), digits: fraction.length }
}

/** Plain decimal text without needless zeros. */
function textOf({ units, digits }: Fixed): string {
  const text = String(units).padStart(digits + 1, '0')
  const fraction = digits === 0 ? '' : text.slice(-digits).replace(/0+$/, '')
  const whole = digits === 0 ? text : text.slice(0, -digits)
  return fraction === '' ? whole : `${whole}.${fraction}`
}
