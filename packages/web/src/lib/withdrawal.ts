import { feeToAccrue } from '@svc/limits'

/** Books of a vault as the service answers them, base units. */
export interface Books {
  readonly principal: bigint
  /** In the vault, without the fee that is owed. */
  readonly balance: bigint
  readonly withdrawn: bigint
  /** Fee that was taken so far, claimed or not. */
  readonly fee: bigint
  readonly feeBps: number
}

/** Returns what a withdrawal of everything pays out now, and the fee that it takes first, by the rules of the vault. */
export function withdrawalOf({ principal, balance, withdrawn, fee: feeTotal, feeBps }: Books) {
  const fee = feeToAccrue({ feeBps: BigInt(feeBps) }, { principal, withdrawn, accounted: balance, feeTotal })
  return { amount: balance - fee, fee }
}
