import { refuse } from '@svc/contract'
import { unknownMandate, vaultNotAttached } from '@svc/contracts/mandates-refusals'
import type { Call } from '@svc/service'
import type { Context } from './context.ts'
import type { Mandate } from './domain/mandate.ts'
import { partyOf } from './parties.ts'
import { findMandate } from './store/mandates.ts'
import { standing, vaultOfMandate, type Vault } from './store/vaults.ts'

/** The caller's mandate with its vault; refuses where there is no such mandate, or no vault on the chain. */
export async function attachedMandate(
  { pool }: Context,
  publicId: string,
  call: Call,
): Promise<{ readonly mandate: Mandate; readonly vault: Vault }> {
  const mandate = await findMandate(pool, publicId, partyOf(call), call.now)
  if (mandate === null) refuse(unknownMandate)
  const vault = standing(await vaultOfMandate(pool, mandate.id))
  if (vault === null) refuse(vaultNotAttached)
  return { mandate, vault }
}
