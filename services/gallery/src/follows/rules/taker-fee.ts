/** The highest fee that the venue takes from an order at the market, as a share of its notional: on its main dex, and on others. */
const TAKER_FEE = { main: '0.00045', other: '0.0009' } as const

/** Returns the fee of an order in a market, such as `hl:BTC` or `hl:xyz:TSLA`, as a share of its notional. */
export const takerFeeOf = (market: string): string => (market.split(':').length > 2 ? TAKER_FEE.other : TAKER_FEE.main)
