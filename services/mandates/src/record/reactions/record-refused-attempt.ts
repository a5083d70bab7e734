import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import { recordAttempt } from '../record-attempt.ts'
import type { Context, LocalContext } from '#context.ts'
import { storeAttempt } from '#books/store/attempts.ts'
import { lockMandateById } from '#mandate/store/mandates.ts'
import { lockVault } from '#books/store/vaults.ts'

type Reverted = z.output<typeof chainIndexer.events.attemptReverted.payload>

/** Keeps what the vault refused on the chain, for when it is attached where it is not yet, and puts it into the record. */
export const recordRefusedAttempt: BoundReaction<Context, LocalContext, Reverted> = {
  apply:
    ({ clock }) =>
    async (tx, { payload: attempt }) => {
      const vault = await lockVault(tx, attempt.chain_id, attempt.vault.toLowerCase())
      if (!(await storeAttempt(tx, attempt)) || vault === null) return
      await recordAttempt(tx, await lockMandateById(tx, vault.mandate_id), attempt, clock.now())
    },
}
