/** Whether deposits and withdrawals of a currency are open on one network of a venue; null if unknown. */
export interface TransferNetwork {
  readonly network: string
  readonly deposit: boolean | null
  readonly withdraw: boolean | null
}

/** Wallet states that a venue publishes, by currency. */
export type Wallets = ReadonlyMap<string, readonly TransferNetwork[]>

/**
 * Returns whether coins bought at `from` can be moved to `to`. True if both name a network that is open on both sides.
 * False if all withdrawals or all deposits are closed. Otherwise null: venues name networks differently, so the absence
 * of a common name proves nothing.
 */
export function transferable(
  from: readonly TransferNetwork[] | undefined,
  to: readonly TransferNetwork[] | undefined,
): boolean | null {
  const closed = (networks: readonly TransferNetwork[] | undefined, way: 'deposit' | 'withdraw') =>
    networks !== undefined && networks.length > 0 && networks.every((one) => one[way] === false)
  if (closed(from, 'withdraw') || closed(to, 'deposit')) return false
  const ways = new Set(to?.filter((one) => one.deposit === true).map((one) => one.network))
  return from?.some((one) => one.withdraw === true && ways.has(one.network)) === true ? true : null
}

/** Combines several transfers: false if one is closed, true if all are open, otherwise null. */
export function allTransferable(ways: readonly (boolean | null)[]): boolean | null {
  if (ways.includes(false)) return false
  return ways.length > 0 && ways.every((way) => way === true) ? true : null
}
