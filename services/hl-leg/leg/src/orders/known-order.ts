import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { Call } from '@svc/service'
import type { Context } from '#context.ts'
import { answerOf, requireKey } from './order-view.ts'
import { followKnown } from './send-order.ts'
import { JUDGING_MS, takeOver, type LegOrder } from './store/orders.ts'

/** Takes over an order that a former call of its key left while it was judged. Refuses while that call may still judge it. */
export async function takeOverLeft({ pool }: Pick<Context, 'pool'>, call: Call, known: LegOrder): Promise<LegOrder> {
  const from = call.now.getTime()
  const [before, nextAt] = [new Date(from - JUDGING_MS), new Date(from + JUDGING_MS)]
  return (await takeOver(pool, known, before, call.now, nextAt)) ?? refuse(common.idempotencyInFlight)
}

/** Answers with what became of an order that another call made. Refuses while that call has it judged. */
export async function answerKnown(context: Context, call: Call, known: LegOrder) {
  if (known.state === 'judging') refuse(common.idempotencyInFlight)
  if (known.resolvedAt !== null) call.markReplayed()
  return answerNow(context, await followKnown(context, known))
}

/** Answers with an order as it is now; names the state of the leg if the order found out that its key has ended. */
export async function answerNow(context: Context, order: LegOrder) {
  await requireKey(context, order)
  return answerOf(order)
}
