/** A leg mandate, as the decision on opening its owner's account at the venue needs it. Base units of USDC. */
export interface Activatable {
  readonly publicId: string
  readonly owner: string
  /** Working in the record and on the chain. */
  readonly working: boolean
  /** The owner asked for the approval in the last hour, and the venue does not know the account. */
  readonly asked: boolean
  /** In the books of the vault, less what approvals of calls hold. */
  readonly idle: bigint
}

const USDC = 1_000_000n
/** What an activation sends. */
export const ACTIVATION = USDC
/** The venue charges the sender 1 USDC for a new account. */
const COST = ACTIVATION + USDC
/** What the pool keeps at the venue: activations must not stop fundings. */
const POOL_FLOOR = 1_000n * USDC

/**
 * Chooses the mandates whose owners' accounts are opened at the venue now, one for each address, in order while the pool keeps
 * 1,000 USDC. A pool that is unknown opens none.
 */
export function planActivations(
  mandates: readonly Activatable[],
  { pool, firstMin }: { readonly pool: bigint | null; readonly firstMin: bigint },
): readonly string[] {
  const chosen = new Map<string, string>()
  let left = pool ?? 0n
  for (const { publicId, owner, working, asked, idle } of mandates) {
    if (!working || !asked || idle < firstMin || chosen.has(owner)) continue
    if (left - COST < POOL_FLOOR) break
    left -= COST
    chosen.set(owner, publicId)
  }
  return [...chosen.values()]
}
