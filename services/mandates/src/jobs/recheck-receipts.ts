import { mandates } from '@svc/contracts/mandates'
import type { Job } from '@svc/service'
import { applyFact } from '../apply-chain.ts'
import type { Context } from '../context.ts'
import { unconfirmedReceipts } from '../store/chain-facts.ts'

/**
 * Takes back what a receipt said when a reorganisation took its transaction before the sweep had seen it: nobody else
 * would ever say so. Whatever is still in the chain is left to the sweep, which confirms it.
 */
export const recheckReceipts =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock, place } = context
    const { max } = mandates.jobs.recheckReceipts
    const told = await unconfirmedReceipts(pool, place.chainId, Number.MAX_SAFE_INTEGER, 1)
    const swept = told.length === 0 ? null : await context.sweptBlock()
    if (swept === null) return { done: 0 }
    let done = 0
    const states = new Map<string, string>()
    for (const fact of await unconfirmedReceipts(pool, place.chainId, swept, max)) {
      if (signal.aborted) break
      const state = states.get(fact.txHash) ?? (await context.readTransaction(fact.txHash))?.state ?? 'mined'
      states.set(fact.txHash, state)
      if (state === 'mined') continue
      await pool.transaction((tx) => applyFact(tx, context, { ...fact, canonical: false }, clock.now()))
      done += 1
    }
    return { done }
  }
