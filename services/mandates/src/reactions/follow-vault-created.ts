import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Reaction } from '@svc/service'
import type { z } from 'zod'
import { appendEntry } from '../append-entry.ts'
import { attach, creationMismatch, type Creation } from '../apply-chain.ts'
import type { Context } from '../context.ts'
import { settleState } from '../move-mandate.ts'
import { findByIdHash, lockMandateById } from '../store/mandates.ts'
import { newestTerms } from '../store/signed-terms.ts'
import { lockVault, storeCreation, vaultOfMandate } from '../store/vaults.ts'

type Created = z.output<typeof chainIndexer.events.vaultCreated.payload>

/** Confirms, finds or takes away the vault of a mandate; tells the owner of another one made for the same mandate. */
export const followVaultCreated =
  ({ clock }: Context): Reaction<Created> =>
  async (payload, _meta, tx) => {
    const now = clock.now()
    const creation: Creation = {
      chainId: payload.chain_id,
      txHash: payload.tx_hash.toLowerCase(),
      vault: payload.vault.toLowerCase(),
      factory: payload.factory.toLowerCase(),
      version: payload.version,
      owner: payload.owner.toLowerCase(),
      agent: payload.terms.agent.toLowerCase(),
      mandateIdHash: payload.mandate_id_hash.toLowerCase(),
      termsHash: payload.terms_hash.toLowerCase(),
      revision: payload.revision,
    }
    const known = await lockVault(tx, creation.chainId, creation.vault)
    if (known !== null) {
      const mandate = await lockMandateById(tx, known.mandate_id)
      if (!(await storeCreation(tx, mandate.id, { ...creation, canonical: payload.canonical }))) return
      if (known.canonical !== payload.canonical)
        await appendEntry(tx, mandate, {
          at: now,
          kind: payload.canonical ? 'vault_restored' : 'vault_orphaned',
          source: 'chain',
          txHash: creation.txHash,
          body: { vault: payload.vault, revision: payload.revision },
        })
      await settleState(tx, mandate, { now, source: 'chain', txHash: creation.txHash, orphaned: !payload.canonical })
      return
    }
    if (!payload.canonical) return
    const found = await findByIdHash(tx, creation.mandateIdHash)
    if (found?.owner?.wallet.toLowerCase() !== creation.owner) return
    const mandate = await lockMandateById(tx, found.id)
    const signed = await newestTerms(tx, mandate.id)
    const mine =
      signed !== null &&
      mandate.agent !== null &&
      (await vaultOfMandate(tx, mandate.id)) === null &&
      creationMismatch(creation, {
        chainId: signed.chain_id,
        factory: signed.factory,
        mandateIdHash: creation.mandateIdHash,
        owner: creation.owner,
        agent: mandate.agent.wallet,
        termsHash: signed.terms_hash,
      }) === null
    if (mine) await attach(tx, mandate, creation, { now, source: 'chain' })
    else
      await appendEntry(tx, mandate, {
        at: now,
        kind: 'other_vault_created',
        source: 'chain',
        txHash: creation.txHash,
        body: { vault: payload.vault, terms_hash: creation.termsHash },
      })
  }
