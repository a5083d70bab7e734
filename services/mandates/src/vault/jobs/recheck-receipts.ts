import { mandates } from '@svc/contracts/mandates'
import type { Job } from '@svc/service'
import { appendEntry } from '#record/append-entry.ts'
import { applyFacts } from '../apply-chain.ts'
import type { Context } from '#context.ts'
import { lockScene } from '#mandate/scene.ts'
import { unconfirmedReceipts } from '#books/store/chain-facts.ts'
import { factsChanged } from '#mandate/facts-changed.ts'
import { lockMandateById } from '#mandate/store/mandates.ts'
import { unconfirmedReports, withdrawReport } from '#record/store/refusals.ts'

/** The scan of reverted calls has confirmed older reports, or does not run. */
const REPORTED_WITHIN_MS = 86_400_000

/**
 * Takes back what a receipt said when a reorganisation took its transaction before chain-indexer had seen it: nobody
 * else would ever say so. Whatever is still in the chain is left to chain-indexer, which confirms it.
 */
export const recheckReceipts =
  (context: Context): Job =>
  async (signal) => ({ done: (await takeBackFacts(context, signal)) + (await takeBackReports(context, signal)) })

async function takeBackFacts(context: Context, signal: AbortSignal): Promise<number> {
  const { pool, clock, deployment } = context
  const any = await unconfirmedReceipts(pool, deployment.chainId, Number.MAX_SAFE_INTEGER, 1)
  const swept = any.length === 0 ? null : await context.chainClient.sweptBlock()
  if (swept === null) return 0
  let done = 0
  const gone = goneOf(context)
  for (const fact of await unconfirmedReceipts(pool, deployment.chainId, swept, mandates.jobs.recheckReceipts.max)) {
    if (signal.aborted) break
    if (!(await gone(fact.txHash))) continue
    await pool.transaction(async (tx) => {
      const scene = await lockScene(tx, fact.chainId, fact.vault)
      await applyFacts(tx, context, scene, [{ ...fact, canonical: false }], clock.now())
    })
    done += 1
  }
  return done
}

async function takeBackReports(context: Context, signal: AbortSignal): Promise<number> {
  const { pool, clock } = context
  let done = 0
  const gone = goneOf(context)
  const since = new Date(clock.now().getTime() - REPORTED_WITHIN_MS)
  for (const { id, mandate_id, tx_hash, kind } of await unconfirmedReports(
    pool,
    since,
    mandates.jobs.recheckReceipts.max,
  )) {
    if (signal.aborted) break
    if (!(await gone(tx_hash))) continue
    await pool.transaction(async (tx) => {
      const mandate = await lockMandateById(tx, mandate_id)
      if (!(await withdrawReport(tx, id))) return
      const entry = { at: clock.now(), kind: 'refusal_withdrawn', source: 'chain', txHash: tx_hash } as const
      await appendEntry(tx, mandate, { ...entry, body: { kind, revision: 0 } })
      await factsChanged(tx, mandate, since)
    })
    done += 1
  }
  return done
}

/** Returns true if a transaction is no longer in the chain; requests each transaction once. */
function goneOf({ chainClient }: Context): (txHash: string) => Promise<boolean> {
  const known = new Map<string, boolean>()
  return async (txHash) => {
    const gone = known.get(txHash) ?? ((await chainClient.readTransaction(txHash))?.state ?? 'mined') !== 'mined'
    known.set(txHash, gone)
    return gone
  }
}
