import type { chainIndexer } from '@svc/contracts/chain-indexer'
import { nobody, sameAddress } from '@svc/limits'
import type { Tx } from '@svc/postgres'
import type { Reaction } from '@svc/service'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Mandate } from '../domain/mandate.ts'
import { insertAlert } from '../store/alerts.ts'
import { findByIdHash, lockMandateById } from '../store/mandates.ts'
import { findEntry } from '../store/record.ts'
import { lockVault } from '../store/vaults.ts'

type Seen = z.output<typeof chainIndexer.events.vaultEventSeen.payload>
type Created = z.output<typeof chainIndexer.events.vaultCreated.payload>

/** Tells the owner that somebody but the mandate's agent may act. */
export const alertForeignAgent =
  (context: Context): Reaction<Seen> =>
  async (seen, _meta, tx) => {
    const agent = seen.args['agent']
    if (seen.name !== 'AgentSet' || !seen.canonical || typeof agent !== 'string' || sameAddress(agent, nobody)) return
    const vault = await lockVault(tx, seen.chain_id, seen.vault.toLowerCase())
    if (vault === null) return
    const mandate = await lockMandateById(tx, vault.mandate_id)
    if (mandate.agent !== null && sameAddress(agent, mandate.agent.wallet)) return
    await alert(tx, context, mandate, {
      kind: 'foreign_agent',
      text: `${agent} may now act in the vault of "${mandate.name}", which is not the agent that you designated. Revoke it if that was not you.`,
      about: `${seen.tx_hash.toLowerCase()}:${seen.log_ordinal}`,
    })
  }

/** Tells the owner of a vault that was made for a mandate and is not its own. */
export const alertOtherVault =
  (context: Context): Reaction<Created> =>
  async (created, _meta, tx) => {
    const mandate = created.canonical ? await findByIdHash(tx, created.mandate_id_hash.toLowerCase()) : null
    const txHash = created.tx_hash.toLowerCase()
    if (mandate === null || (await findEntry(tx, mandate.id, 'other_vault_created', txHash)) === null) return
    await alert(tx, context, mandate, {
      kind: 'other_vault_created',
      text: `Another vault (${created.vault}) was created for "${mandate.name}" and is not used. Draft again to have a mandate for it.`,
      about: created.vault.toLowerCase(),
    })
  }

function alert(
  tx: Tx,
  { acting, clock }: Context,
  mandate: Mandate,
  what: { readonly kind: string; readonly text: string; readonly about: string },
): Promise<void> {
  const link = acting.linkTo(mandate.publicId)
  const told = { ownerId: mandate.owner?.id ?? 0, mandateId: mandate.id, severity: 'critical', link } as const
  return insertAlert(tx, { ...told, ...what }, clock.now())
}
