import type { Tx } from '@svc/postgres'
import { workerTransaction } from '@svc/postgres'
import type { Context } from '#context.ts'
import { lockFollows, type Follow } from '#gaps/store/follows.ts'
import { storeVerdicts, type NewVerdict } from '#gaps/store/verdicts.ts'
import { followsWithOrders, ordersOf } from './store/follow-orders.ts'

/** Runs a transaction of the house runner with its limits on statements and locks. */
export const runnerTransaction = <T>(
  { pool, settings }: Pick<Context, 'pool' | 'settings'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> => {
  const { houseStatementTimeoutMs: statementTimeoutMs, houseLockTimeoutMs: lockTimeoutMs } = settings
  return workerTransaction(pool, { statementTimeoutMs, lockTimeoutMs }, work)
}

/**
 * Stores the verdicts on signals of follows, those of each follow in the order of its signals. Under the locks of the follows
 * it leaves out a follow that another process moved or that has an order on its way, and what came after an end. Returns how
 * many it stored.
 */
export function storeDryVerdicts(
  context: Pick<Context, 'pool' | 'settings' | 'clock'>,
  verdicts: readonly NewVerdict[],
): Promise<number> {
  const byFollow = Map.groupBy(verdicts, ({ followId }) => followId)
  return runnerTransaction(context, async (tx) => {
    const follows = await lockFollows(tx, [...byFollow.keys()])
    const busy = await followsWithOrders(
      tx,
      follows.map(({ id }) => id),
    )
    const stored = follows.flatMap((follow) => {
      const own = byFollow.get(follow.id) ?? []
      if (busy.has(follow.id) || own[0]?.seq !== follow.decidedSeq + 1) return []
      return own.filter(({ seq }) => follow.lastSeq === null || seq <= follow.lastSeq)
    })
    await storeVerdicts(tx, stored, context.clock.now())
    return stored.length
  })
}

/**
 * Stores the verdict on the next signal of a follow. `orders`: number of orders from which it follows; false if another
 * process decided or ordered meanwhile.
 */
export function storeLiveVerdict(
  context: Pick<Context, 'pool' | 'settings' | 'clock'>,
  follow: Pick<Follow, 'id'>,
  verdict: NewVerdict,
  orders: number,
): Promise<boolean> {
  return runnerTransaction(context, async (tx) => {
    const [locked] = await lockFollows(tx, [follow.id])
    if (locked === undefined || locked.decidedSeq !== verdict.seq - 1) return false
    if ((await ordersOf(tx, follow.id, verdict.seq)).length !== orders) return false
    await storeVerdicts(tx, [verdict], context.clock.now())
    return true
  })
}
