import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Tx } from '@svc/postgres'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import { alertOwner } from '#alerts/alert-owner.ts'
import { appendEntry } from '#record/append-entry.ts'
import { applyFacts } from '../apply-chain.ts'
import { attach } from '../attach.ts'
import type { Context, LocalContext } from '#context.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { factOf } from '#books/fact-of-event.ts'
import { lockScene } from '#mandate/scene.ts'
import type { ChainFact } from '#books/rules/chain-fact.ts'
import { newestFact } from '#books/store/chain-facts.ts'
import { findByIdHash, lockMandateById } from '#mandate/store/mandates.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import { vaultOfMandate } from '#books/store/vaults.ts'
import { creationMismatch, type Creation } from '../rules/creation.ts'
import { standing } from '#books/rules/vault.ts'

type Created = z.output<typeof chainIndexer.events.vaultCreated.payload>

/**
 * Follows the creation of a vault: confirms the attached one, restores or removes it, attaches the one that the owner signed
 * for, and alerts the owner of any other vault created for the mandate.
 */
export const followVaultCreated: BoundReaction<Context, LocalContext, Created> = {
  apply:
    (context) =>
    async (tx, { payload }) => {
      const now = context.clock.now()
      const fact = factOf({ ...payload, name: 'VaultCreated', args: {} })
      const before = await lockScene(tx, fact.chainId, fact.vault)
      const after = await applyFacts(tx, context, before, [fact], now)
      // A vault that is or was attached is no new one, also if the owner has signed for another factory since.
      if (before?.vault.canonical === true || after?.vault.canonical === true) return
      const creation = creationOf(fact, payload)
      const mandate = await claimedMandate(tx, fact, creation)
      if (mandate === null) return
      if (await isExpected(tx, mandate, creation))
        await attach(tx, context, mandate, creation, { now, source: 'chain' })
      else await reportOther(tx, context, mandate, { creation, vault: payload.vault }, now)
    },
}

const creationOf = ({ chainId, txHash, vault }: ChainFact, payload: Created): Creation => ({
  chainId,
  txHash,
  vault,
  factory: payload.factory.toLowerCase(),
  version: payload.version,
  owner: payload.owner.toLowerCase(),
  agent: payload.terms.agent.toLowerCase(),
  mandateIdHash: payload.mandate_id_hash.toLowerCase(),
  termsHash: payload.terms_hash.toLowerCase(),
})

/** Locks the mandate for which its owner created the vault; null if the creation no longer stands or names no such mandate. */
async function claimedMandate(tx: Tx, fact: ChainFact, creation: Creation): Promise<Mandate | null> {
  const newest = await newestFact(tx, fact.chainId, fact.vault, 'VaultCreated')
  if (newest?.txHash !== fact.txHash || newest.revision !== fact.revision) return null
  const found = await findByIdHash(tx, creation.mandateIdHash)
  return found?.owner?.wallet.toLowerCase() === creation.owner ? lockMandateById(tx, found.id) : null
}

/** Returns true if the mandate has no vault on the chain and its newest signed terms are those of the creation. */
async function isExpected(tx: Tx, mandate: Mandate, creation: Creation): Promise<boolean> {
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

async function reportOther(
  tx: Tx,
  context: LocalContext,
  mandate: Mandate,
  { creation, vault }: { readonly creation: Creation; readonly vault: string },
  now: Date,
): Promise<void> {
  await appendEntry(tx, mandate, {
    at: now,
    kind: 'other_vault_created',
    source: 'chain',
    txHash: creation.txHash,
    body: { vault, terms_hash: creation.termsHash },
  })
  const text = `Another vault (${vault}) was created for "${mandate.name}" and is not used. Draft again to have a mandate for it.`
  const alert = { kind: 'other_vault_created', severity: 'critical', text, about: creation.vault } as const
  await alertOwner(tx, context, mandate, alert, now)
}
