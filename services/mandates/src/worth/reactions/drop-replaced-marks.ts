import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import type { Context, LocalContext } from '#context.ts'
import { dropMarksAfter } from '../store/worth.ts'

type Reorganised = z.output<typeof chainIndexer.events.chainReorganised.payload>

/** Takes away the marks of blocks that were replaced; the keeper measures anew. */
export const dropReplacedMarks: BoundReaction<Context, LocalContext, Reorganised> = {
  apply:
    () =>
    (tx, { at, payload }) =>
      dropMarksAfter(tx, payload.chain_id, payload.ancestor_number, at),
}
