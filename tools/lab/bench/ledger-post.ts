import { fileURLToPath } from 'node:url'
import type { Pool } from '@svc/postgres'

interface Posting {
  readonly key: string
  readonly kind: 'adjustment'
  readonly accountId: number
  readonly amount: number
  readonly reference: string
  readonly at: Date
}

const store = fileURLToPath(new URL('../../../services/subscriptions/src/ledger/store/ledger.ts', import.meta.url))

/** Loads the function of subscriptions that posts a transfer. */
export async function loadPost(): Promise<(db: Pool, posting: Posting) => Promise<unknown>> {
  return ((await import(store)) as { post: (db: Pool, posting: Posting) => Promise<unknown> }).post
}

/** Repeats `work` in `lanes` at once for `ms`; returns runs a second. */
export async function rateOf(
  work: (lane: number, turn: number) => Promise<unknown>,
  lanes: number,
  ms: number,
): Promise<number> {
  const begun = performance.now()
  let done = 0
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let turn = 0; performance.now() - begun < ms; turn++) {
        await work(lane, turn)
        done += 1
      }
    }),
  )
  return (done / (performance.now() - begun)) * 1000
}
