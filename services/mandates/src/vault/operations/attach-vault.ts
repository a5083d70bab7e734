import { ok, refuse } from '@svc/contract'
import type { ChainTransaction } from '@svc/contracts/chain-indexer/transactions'
import type { mandates } from '@svc/contracts/mandates'
import * as refusals from '@svc/contracts/mandates/refusals'
import type { BoundHandler } from '@svc/service'
import { getAddress } from 'viem'
import { applyFacts } from '../apply-chain.ts'
import { factsOfReceipt } from '../rules/receipt-facts.ts'
import { attach } from '../attach.ts'
import { creationMismatch, type Creation } from '../rules/creation.ts'
import { confirmedReceipt } from '#neighbours/confirmed-receipt.ts'
import type { Context } from '#context.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { mandateIdHash } from '#mandate/mandate-hashes.ts'
import { mandateOfCaller, lockMandateOfCaller } from '#mandate/parties.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import { lockVault, vaultOfMandate } from '#books/store/vaults.ts'
import { summaryView } from '#states/mandate-view.ts'
import type { Vault } from '#books/rules/vault.ts'

export const attachVault: BoundHandler<Context, typeof mandates.operations.attachVault> =
  (context) => async (input, call) => {
    const { pool } = context
    const txHash = input.tx_hash.toLowerCase()
    const found = await mandateOfCaller(pool, input.public_id, call)
    const attached = await vaultOfMandate(pool, found.id)
    // The same transaction attached it before. If that one is no longer in the chain, another may have created it again.
    const same = attached?.canonical === true && attached.creation_tx === txHash
    if (attached?.canonical === true && !same) refuse(refusals.vaultAttached)
    if ((await newestTerms(pool, found.id)) === null)
      refuse(refusals.wrongState, undefined, { state: found.state, allowed: ['signed', 'stopped', 'ended'] })
    const receipt = same ? null : await confirmedReceipt(context, txHash, call)

    return call.effect(async (tx) => {
      if (receipt === null) return answer(found, attached, call.now)
      const creation = creationOf(receipt, mandateIdHash(found.publicId))
      if (creation === null) refuse(refusals.transactionForeign)
      // Locked before the mandate's row, in the order of all followers of the chain.
      await lockVault(tx, creation.chainId, creation.vault)
      const mandate = await lockMandateOfCaller(tx, input.public_id, call)
      const meanwhile = await vaultOfMandate(tx, mandate.id)
      if (meanwhile?.canonical === true && meanwhile.creation_tx === txHash) return answer(mandate, meanwhile, call.now)
      if (meanwhile?.canonical === true) refuse(refusals.vaultAttached)
      await mustMatch(tx, mandate, creation)
      const facts = factsOfReceipt(receipt, creation.vault)
      const known = meanwhile?.address === creation.vault ? { vault: meanwhile, mandate } : null
      const restored = await applyFacts(tx, context, known, facts, call.now)
      // The facts restored a vault that was attached before; any other vault is attached in its place.
      const scene = restored ?? (await attach(tx, context, mandate, creation, { now: call.now, source: 'owner' }))
      return answer(scene.mandate, scene.vault, call.now)
    })
  }

async function mustMatch(tx: Parameters<typeof newestTerms>[0], mandate: Mandate, creation: Creation): Promise<void> {
  const signed = await newestTerms(tx, mandate.id)
  if (signed === null || mandate.owner === null || mandate.agent === null)
    refuse(refusals.wrongState, undefined, { state: mandate.state, allowed: ['signed', 'stopped', 'ended'] })
  const member = creationMismatch(creation, {
    chainId: signed.chain_id,
    factory: signed.factory,
    mandateIdHash: mandateIdHash(mandate.publicId),
    owner: mandate.owner.wallet,
    agent: mandate.agent.wallet,
    termsHash: signed.terms_hash,
  })
  if (member !== null) refuse(refusals.vaultMismatch, undefined, { member })
}

/** Returns the creation in a receipt: that of this mandate, otherwise the first; null without one. */
function creationOf(transaction: ChainTransaction, idHash: string): Creation | null {
  const created = transaction.logs.flatMap(({ vault, created: terms }) => (terms === null ? [] : [{ vault, ...terms }]))
  const log = created.find(({ mandate_id_hash }) => mandate_id_hash.toLowerCase() === idHash) ?? created[0]
  if (log === undefined) return null
  return {
    chainId: transaction.chain_id,
    txHash: transaction.tx_hash.toLowerCase(),
    vault: log.vault.toLowerCase(),
    factory: log.factory.toLowerCase(),
    version: log.version,
    owner: log.owner.toLowerCase(),
    agent: log.terms.agent.toLowerCase(),
    mandateIdHash: log.mandate_id_hash.toLowerCase(),
    termsHash: log.terms_hash.toLowerCase(),
  }
}

function answer(mandate: Mandate, vault: Vault | null, now: Date) {
  if (vault === null) throw new Error('the vault was just attached')
  const summary = summaryView(mandate, vault, now)
  return ok(200, {
    ok: true as const,
    vault: getAddress(vault.address),
    chain_id: vault.chain_id,
    factory: getAddress(vault.factory),
    state: summary.state,
    mandate: summary,
  })
}
