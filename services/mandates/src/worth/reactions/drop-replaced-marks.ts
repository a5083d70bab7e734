import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import type { Context, LocalContext } from '#context.ts'
import { publishChanged } from '#mandate/facts-changed.ts'
import { dropMarksAfter } from '../store/worth.ts'

type Reorganised = z.output<typeof chainIndexer.events.chainReorganised.payload>

/** Deletes the marks of replaced blocks; the keeper measures again. */
export const dropReplacedMarks: BoundReaction<Context, LocalContext, Reorganised> = {
  apply:
    () =>
    async (tx, { at, payload }) =>
      publishChanged(tx, await dropMarksAfter(tx, payload.chain_id, payload.ancestor_number, at)),
}
