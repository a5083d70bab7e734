import { shownAmount, UNKNOWN, unitsOf, wholeGrouped } from '../../lib/money.ts'
import type { Answer } from '../../lib/routes-of-api.ts'

/** The leg of a mandate, and its money, as the API answers them. */
export type Leg = Answer<'GET /hub/mandates/{public_id}/hl-leg'>
export type Money = Answer<'GET /hub/mandates/{public_id}/money'>

/** Returns what shows a signed amount of the venue; null is unknown. */
export const showSigned = (text: string | null): string => shownAmount(text === null ? null : unitsOf(cut(text)))

/** Returns whether an amount is zero, in whatever decimals. */
export const isNothing = (text: string): boolean => /^-?0(\.0+)?$/.test(text)

/** Returns a price of the venue with all its decimals, digits in groups; null is unknown. */
export const showPrice = (text: string | null): string => (text === null ? UNKNOWN : wholeGrouped(text))

/** Venue amounts may have more decimals than USDC; what is beyond them is cut. */
export const cut = (text: string): string => text.replace(/(\.\d{6})\d+$/, '$1')
