import { dexOf } from './market-id.ts'

/** The highest that the venue takes from an order at the market, as a share of its notional: on its main dex, and on others. */
const TAKER_FEE = { main: '0.00045', other: '0.0009' } as const

/** Returns the fee that orders in a market are judged and simulated with. */
export const takerFeeOf = (coin: string): string => (dexOf(coin) === '' ? TAKER_FEE.main : TAKER_FEE.other)
