import type { Call } from '@svc/service'
import type { Context } from '#context.ts'
import type { ChainPoint } from '#books/rules/chain-order.ts'

/** The longest time that an owner's decision waits for the chain. */
const WAIT_MS = 2_000

/**
 * Returns the newest block at the time of a decision, which orders the decision against executions; null while the chain
 * cannot be read, so that an outage blocks no owner. Must be awaited before the call's transaction begins.
 */
export function knownHead(
  { chainClient }: Pick<Context, 'chainClient'>,
  { deadline }: Call,
): Promise<ChainPoint | null> {
  return chainClient.newestBlock(Math.min(deadline, Date.now() + WAIT_MS))
}
