import { PROOF_DAYS } from '@svc/contracts/subscriptions/balance-proofs'
import type { Pool } from '@svc/postgres'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { proveLedger } from '#ledger/ledger-proof.ts'
import { forgetProofs, makeRoot, newestRoot, storeSignature, type Root } from '../store/balance-roots.ts'

/**
 * Publishes the root over all balances, once a UTC day, in the first run after midnight. A root that was stored and not
 * signed, because a process or identity went away, is signed first. A ledger that does not add up gets no root: the job
 * fails. A dry run computes and logs the root, and leaves nothing.
 */
export const publishBalanceRoot =
  ({ pool, clock, log, settings, signRoot }: Context): Job =>
  async () => {
    const now = clock.now()
    const day = now.toISOString().slice(0, 10)
    const newest = await newestRoot(pool)
    const isDry = settings.balanceRootDryRun
    const unsigned = newest === null || newest.jws !== null ? [] : [newest]
    const isDue = newest === null || newest.day < day
    if (isDue) await proveLedger(pool)
    if (isDry) {
      const root = isDue ? await computedOnly(pool, day, now) : null
      const line = { job: 'publishBalanceRoot', dry: true, do: 'publish', day }
      if (root !== null) log.info({ ...line, ...root }, 'dry run: this root over all balances would be published')
      return { done: 0, unsigned: unsigned.length, dry_run: true }
    }
    let done = 0
    for (const root of unsigned) done += await sign(root)
    if (isDue && (await pool.transaction((tx) => makeRoot(tx, day, now))) !== null) {
      const made = await newestRoot(pool)
      if (made !== null) done += await sign(made)
      await forgetProofs(pool, day, PROOF_DAYS)
    }
    return { done, unsigned: 0, dry_run: false }

    async function sign({ day: of, accounts, root, computed_at }: Root): Promise<number> {
      await storeSignature(pool, of, await signRoot({ day: of, accounts, root, computed_at }))
      return 1
    }
  }

/** Carries a computed root out of a transaction that rolls back. */
class Computed extends Error {
  override readonly name = 'Computed'
  readonly root: Pick<Root, 'accounts' | 'root'> | null
  constructor(root: Computed['root']) {
    super('a dry run stores nothing')
    this.root = root
  }
}

async function computedOnly(pool: Pool, day: string, at: Date): Promise<Computed['root']> {
  try {
    return await pool.transaction(async (tx) => {
      throw new Computed(await makeRoot(tx, day, at))
    })
  } catch (error) {
    if (error instanceof Computed) return error.root
    throw error
  }
}
