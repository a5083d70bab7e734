import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Reaction } from '@svc/service'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { dropMarksAfter } from '../store/worth.ts'

type Reorganised = z.output<typeof chainIndexer.events.chainReorganised.payload>

/** Takes away the marks of blocks that were replaced; the keeper measures anew. */
export const dropReplacedMarks =
  (_context: Context): Reaction<Reorganised> =>
  ({ chain_id, ancestor_number }, { at }, tx) =>
    dropMarksAfter(tx, chain_id, ancestor_number, at)
