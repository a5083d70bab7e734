import { refuse } from '@svc/contract'
import { proofExposesOthers } from '@svc/contracts/mandates/refusals'
import type { Limits } from '@svc/limits'
import type { Db } from '@svc/postgres'
import type { Context } from '#context.ts'
import { hasPrivateOwners, isFindable } from './store/exposure.ts'

/**
 * Refuses `public_proof` with an agent that works for other owners who did not choose it, and with the house runner: the wallet
 * of the agent would lead from this vault to theirs. To sign, lock the agent first.
 */
export async function mustExposeNobody(
  db: Db,
  { settings }: Pick<Context, 'settings'>,
  { agentId, ownerId, limits }: { readonly agentId: number; readonly ownerId: number; readonly limits: Limits },
): Promise<void> {
  if (!limits.publicProof) return
  if (agentId === settings.houseRunnerId || (await hasPrivateOwners(db, agentId, ownerId))) refuse(proofExposesOthers)
}

/** Returns what others will be able to find out about the vault of a draft; null: nothing by the Hall. */
export async function exposureOf(db: Db, agentId: number | null, { publicProof }: Limits): Promise<string | null> {
  if (publicProof)
    return 'public_proof is on: the Hall names the vault, and the chain shows your wallet and every amount of it, for good.'
  if (agentId === null || !(await isFindable(db, agentId))) return null
  return "The Hall names a vault of this agent, and with it the agent's wallet: its other vaults, and so yours with your wallet and amounts, can be found on the chain."
}
