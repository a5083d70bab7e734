import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Context } from '#context.ts'
import { CLAIM_MS } from '#runner/carry-out.ts'
import { followSignals } from '#runner/jobs/follow-signals.ts'
import { dyingContext, startFollowRig, type Sold } from '../follow-rig.ts'
import type { Follower } from '../follow-world.ts'

const rig = opened(() => startFollowRig())

/** A flip takes fewer steps than this. */
const STEPS = 44
const lifetimes = Array.from({ length: STEPS }, (_, lives) => lives)
const target = [
  { side: 'long', weight_bps: 5_000 },
  { side: 'short', weight_bps: 4_000 },
  { side: 'flat', weight_bps: 0 },
] as const

const runOf = (context: Context) => followSignals(context)(AbortSignal.timeout(600_000))

/** Runs the job in a process that ends after so many steps; returns whether it ended before the job did. */
async function runAndDie(lives: number): Promise<'killed' | 'done'> {
  const { context, ended } = dyingContext(rig.context, lives)
  const done = runOf(context).then(
    () => 'done' as const,
    () => 'done' as const,
  )
  return Promise.race([done, ended])
}
const another = async (): Promise<Context> => await (second ??= rig.second())
let second: Promise<Context> | null = null

const executedFor = (follower: Follower, signalId: string) =>
  rig.world.executed.filter(({ mandateId, key }) => mandateId === follower.id && key.includes(signalId))

/** Every request of a key had the same bytes. */
function expectOneBodyAKey(): void {
  const bodies = Map.groupBy(rig.world.requests, ({ key }) => key)
  for (const [key, sent] of bodies) expect([key, new Set(sent.map(({ body }) => body)).size]).toEqual([key, 1])
}

const doubled = () =>
  rig.pool.any(sql.type(z.object({ n: z.number() }))`
    SELECT count(*) AS n FROM verdict GROUP BY mandate_id, vault_id, seq HAVING count(*) > 1`)

async function newPaidFollow(): Promise<{ listing: Sold; follower: Follower }> {
  const listing = await rig.newListing({ price: 3 })
  return { listing, follower: await rig.newFollow(listing) }
}

describe('a runner that is killed between any two steps', () => {
  test('leaves a signal that another process brings to one verdict, each order executed and paid for once', async () => {
    const { listing, follower } = await newPaidFollow()
    const outcomes = new Set<string>()
    // Each signal turns the position, which has the steps of an open and of a close.
    for (const lives of lifetimes) {
      const signal = await rig.publish(listing, target[lives % 2] ?? target[0])
      outcomes.add(await runAndDie(lives))
      rig.clock.advance(CLAIM_MS)
      await runOf(await another())
      const verdict = (await rig.verdicts(follower)).find(({ seq }) => seq === signal.seq)
      const executed = executedFor(follower, signal.id)
      expect([lives, verdict?.kind, executed.length]).toEqual([lives, 'followed', lives === 0 ? 1 : 2])
      expect(rig.world.paid.get(`${follower.ownerId} ${listing.vaultId}:${signal.seq}`)).toBe(1)
    }
    expect(outcomes).toEqual(new Set(['killed', 'done']))
    expect(await doubled()).toEqual([])
    expectOneBodyAKey()
  })

  test('and is found late leaves a verdict that agrees with what was executed; nothing is executed late', async () => {
    const { listing, follower } = await newPaidFollow()
    const kinds = new Set<string>()
    for (const lives of lifetimes) {
      const said = target[lives % 2] ?? target[0]
      const signal = await rig.publish(listing, said)
      await runAndDie(lives)
      rig.clock.advance(200_000)
      const before = rig.world.executed.length
      for (const _ of [1, 2]) await runOf(await another())
      const verdict = (await rig.verdicts(follower)).find(({ seq }) => seq === signal.seq)
      const executed = executedFor(follower, signal.id)
      kinds.add(verdict?.kind ?? 'none')
      expect([lives, rig.world.executed.length]).toEqual([lives, before])
      expect([lives, verdict?.kind === 'followed']).toEqual([lives, executed.length > 0])
      expect([lives, verdict === undefined]).toEqual([lives, false])
    }
    expect(kinds).toEqual(new Set(['skipped_stale', 'failed', 'followed']))
    expect(await doubled()).toEqual([])
    expectOneBodyAKey()
  })
})

test('two processes that both believe they lead bring each signal to one verdict and each order to one execution', async () => {
  const listing = await rig.newListing({ price: 1 })
  const followers = await Promise.all(Array.from({ length: 12 }, () => rig.newFollow(listing)))
  const other = await another()
  for (let round = 0; round < 6; round += 1) {
    const signal = await rig.publish(listing, target[round % 3] ?? target[0])
    rig.world.faults.push({ kind: 'unanswered' }, { kind: 'lost' }, { kind: 'unresolved' })
    for (const _ of [1, 2]) await Promise.all([runOf(rig.context), runOf(other)])
    rig.clock.advance(2_000)
    await Promise.all([runOf(rig.context), runOf(other)])
    for (const follower of followers) expect(executedFor(follower, signal.id)).toHaveLength(round % 3 === 1 ? 2 : 1)
  }
  for (const follower of followers) {
    expect((await rig.verdicts(follower)).map(({ seq, kind }) => [seq, kind])).toEqual(
      [1, 2, 3, 4, 5, 6].map((seq) => [seq, 'followed']),
    )
    expect([...rig.world.paid].filter(([key]) => key.startsWith(`${follower.ownerId} `)).map(([, n]) => n)).toEqual([
      1, 1, 1, 1, 1, 1,
    ])
  }
  expect(await doubled()).toEqual([])
  expectOneBodyAKey()
})
