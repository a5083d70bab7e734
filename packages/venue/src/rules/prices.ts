import { Decimal } from 'decimal.js'

/** Middle of the book, from decimal text; null unless both sides have an offer. */
export function middleOf(bid: string | null, ask: string | null): string | null {
  return bid === null || ask === null ? null : new Decimal(bid).plus(ask).div(2).toFixed()
}

/** Returns true if a price is within `band`, a fraction, of the mark. */
export function isNearMark(price: string, mark: string, band: string): boolean {
  const distance = new Decimal(price).minus(mark).abs()
  return distance.lte(new Decimal(mark).times(band))
}
