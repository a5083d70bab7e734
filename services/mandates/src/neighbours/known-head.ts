import type { Call } from '@svc/service'
import type { Context } from '#context.ts'
import type { ChainPoint } from '#books/rules/chain-order.ts'

/** A decision of an owner waits no longer for the chain than this. */
const WAIT_MS = 2_000

/**
 * The newest block at a decision, by which it is ordered against the chain; null while the chain cannot be read, which
 * keeps no owner from deciding. Asked before the call's transaction begins.
 */
export function knownHead({ indexer }: Pick<Context, 'indexer'>, { deadline }: Call): Promise<ChainPoint | null> {
  return indexer.newestBlock(Math.min(deadline, Date.now() + WAIT_MS))
}
