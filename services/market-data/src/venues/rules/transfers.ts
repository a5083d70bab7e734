/** Whether a currency can be moved in and out on one network of a venue; null is unknown. */
export interface TransferNetwork {
  readonly network: string
  readonly deposit: boolean | null
  readonly withdraw: boolean | null
}

/** What a venue tells everybody of its wallets, by currency. */
export type Wallets = ReadonlyMap<string, readonly TransferNetwork[]>

/**
 * Whether coins bought at `from` can be moved to `to`: true with a network that both name and that is open on both sides;
 * false when all ways out or all ways in are closed. Else null: venues name networks differently, so that none in common
 * is no proof.
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

/** The same for a bought amount that goes from several venues to several: all ways open, or one that is known to be closed. */
export function allTransferable(ways: readonly (boolean | null)[]): boolean | null {
  if (ways.includes(false)) return false
  return ways.length > 0 && ways.every((way) => way === true) ? true : null
}
