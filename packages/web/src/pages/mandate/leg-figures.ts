import { shownAmount, unitsOf, type NumberLanguage } from '../../lib/money.ts'
import type { Answer } from '../../lib/routes-of-api.ts'

/** The leg of a mandate, and its money, as the API answers them. */
export type Leg = Answer<'GET /hub/mandates/{public_id}/hl-leg'>
export type Money = Answer<'GET /hub/mandates/{public_id}/money'>

/** Returns what shows a signed amount of the venue; null is unknown. */
export const showSigned = (text: string | null, language: NumberLanguage): string =>
  shownAmount(text === null ? null : unitsOf(cut(text)), { language })

/** Venue amounts may have more decimals than USDC; what is beyond them is cut. */
export const cut = (text: string): string => text.replace(/(\.\d{6})\d+$/, '$1')
