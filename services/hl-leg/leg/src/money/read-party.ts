import { refuse } from '@svc/contract'
import { transferConflict } from '@svc/contracts/hl-leg/money'
import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import { readLeg } from '#legs/store/legs.ts'
import { storeParty } from './store/parties.ts'

/**
 * Asks identity for the accounts of the party of a leg's owner (same wallet, paired agents and their owners), and stores them for
 * the plans of keeper. Refuses while identity does not answer.
 */
export async function readParty(
  { pool, identity, log }: Pick<Context, 'pool' | 'identity' | 'log'>,
  publicId: string,
): Promise<readonly number[]> {
  const leg = await readLeg(pool, publicId)
  if (leg === null) return []
  try {
    const { account_ids } = await identity.relatedAccounts({ account_id: leg.ownerId })
    const party = [...new Set([leg.ownerId, ...account_ids])]
    await storeParty(pool, leg.ownerId, party)
    return party
  } catch (error) {
    if (!isOutage(error)) throw error
    log.warn({ err: error, public_id: publicId }, 'a leg is not funded: identity does not say who belongs to its owner')
    return refuse(transferConflict, 'The accounts of the owner are not known now.')
  }
}
