import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import { recordAttempt } from '../record-attempt.ts'
import type { Context, LocalContext } from '#context.ts'
import { isKnownAttempt, storeAttempt } from '#books/store/attempts.ts'
import { lockMandateById } from '#mandate/store/mandates.ts'
import { findVault, lockVault } from '#books/store/vaults.ts'
import { calledDataOf } from '#neighbours/called-data-of.ts'

type Reverted = z.output<typeof chainIndexer.events.attemptReverted.payload>

/** Keeps what the vault refused on the chain, for when it is attached where it is not yet, and puts it into the record. */
export const recordRefusedAttempt: BoundReaction<Context, LocalContext, Reverted, string | null> = {
  prepare:
    ({ pool, chainClient }) =>
    async ({ payload: { chain_id, vault, tx_hash, target, selector, canonical, outcome } }) => {
      if (!canonical || outcome !== 'refusal') return null
      if (await isKnownAttempt(pool, { chain_id, tx_hash })) return null
      if ((await findVault(pool, chain_id, vault.toLowerCase())) === null) return null
      return calledDataOf(chainClient, tx_hash, { vault, target, selector })
    },
  apply:
    ({ clock }) =>
    async (tx, { payload: attempt }, data) => {
      const vault = await lockVault(tx, attempt.chain_id, attempt.vault.toLowerCase())
      if (!(await storeAttempt(tx, attempt)) || vault === null) return
      await recordAttempt(tx, await lockMandateById(tx, vault.mandate_id), attempt, clock.now(), data)
    },
}
