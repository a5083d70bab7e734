import { refuse } from '@svc/contract'
import { vaultNotAttached } from '@svc/contracts/mandates-refusals'
import type { Call } from '@svc/service'
import type { Context } from './context.ts'
import type { Mandate } from './domain/mandate.ts'
import { mandateOfCaller } from './parties.ts'
import { standing, vaultOfMandate, type Vault } from './store/vaults.ts'

/** The caller's mandate with its vault; refuses where there is no such mandate, or no vault on the chain. */
export async function attachedMandate(
  { pool }: Context,
  publicId: string,
  call: Call,
): Promise<{ readonly mandate: Mandate; readonly vault: Vault }> {
  const mandate = await mandateOfCaller(pool, publicId, call)
  const vault = standing(await vaultOfMandate(pool, mandate.id))
  if (vault === null) refuse(vaultNotAttached)
  return { mandate, vault }
}
