import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Tx } from '@svc/postgres'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import { alertOwner } from '#alerts/alert-owner.ts'
import { appendEntry } from '#record/append-entry.ts'
import { applyFact } from '../apply-chain.ts'
import { attach, creationMismatch, type Creation } from '../attach.ts'
import type { Context, LocalContext } from '#context.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { factOf } from '#books/fact-of-event.ts'
import { lockScene } from '#mandate/scene.ts'
import { newestFact } from '#books/store/chain-facts.ts'
import { findByIdHash, lockMandateById } from '#mandate/store/mandates.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import { standing, vaultOfMandate } from '#books/store/vaults.ts'

type Created = z.output<typeof chainIndexer.events.vaultCreated.payload>

/** Confirms, finds or takes away the vault of a mandate; tells the owner of another one made for the same mandate. */
export const followVaultCreated: BoundReaction<Context, LocalContext, Created> = {
  apply:
    (context) =>
    async (tx, { payload }) => {
      const now = context.clock.now()
      const fact = factOf({ ...payload, name: 'VaultCreated', args: {} })
      const known = await lockScene(tx, fact.chainId, fact.vault)
      const after = await applyFact(tx, context, known, fact, now)
      // It was its mandate's, or is so again: not one for whose factory the owner does not sign any more.
      if (known?.vault.canonical === true || after?.vault.canonical === true) return
      const standing = await newestFact(tx, fact.chainId, fact.vault, 'VaultCreated')
      // Taken back by a higher revision that came before.
      if (standing?.txHash !== fact.txHash || standing.revision !== fact.revision) return
      const creation: Creation = {
        chainId: fact.chainId,
        txHash: fact.txHash,
        vault: fact.vault,
        factory: payload.factory.toLowerCase(),
        version: payload.version,
        owner: payload.owner.toLowerCase(),
        agent: payload.terms.agent.toLowerCase(),
        mandateIdHash: payload.mandate_id_hash.toLowerCase(),
        termsHash: payload.terms_hash.toLowerCase(),
      }
      const found = await findByIdHash(tx, creation.mandateIdHash)
      if (found?.owner?.wallet.toLowerCase() !== creation.owner) return
      const mandate = await lockMandateById(tx, found.id)
      if (await isMine(tx, mandate, creation)) await attach(tx, context, mandate, creation, { now, source: 'chain' })
      else await tellOfOther(tx, context, mandate, creation, payload.vault, now)
    },
}

async function isMine(tx: Tx, mandate: Mandate, creation: Creation): Promise<boolean> {
  const signed = await newestTerms(tx, mandate.id)
  if (signed === null || mandate.agent === null || standing(await vaultOfMandate(tx, mandate.id)) !== null) return false
  const expected = {
    chainId: signed.chain_id,
    factory: signed.factory,
    mandateIdHash: creation.mandateIdHash,
    owner: creation.owner,
    agent: mandate.agent.wallet,
    termsHash: signed.terms_hash,
  }
  return creationMismatch(creation, expected) === null
}

async function tellOfOther(
  tx: Tx,
  context: LocalContext,
  mandate: Mandate,
  creation: Creation,
  vault: string,
  now: Date,
): Promise<void> {
  await appendEntry(tx, mandate, {
    at: now,
    kind: 'other_vault_created',
    source: 'chain',
    txHash: creation.txHash,
    body: { vault, terms_hash: creation.termsHash },
  })
  await alertOwner(
    tx,
    context,
    mandate,
    {
      kind: 'other_vault_created',
      severity: 'critical',
      text: `Another vault (${vault}) was created for "${mandate.name}" and is not used. Draft again to have a mandate for it.`,
      about: creation.vault,
    },
    now,
  )
}
