/** Returns true for the id of a market that is traded through the leg, and not by a contract call. */
export const isLegMarket = (marketId: string): boolean => marketId.startsWith('hl:')
