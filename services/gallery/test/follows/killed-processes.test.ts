import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from '@svc/postgres'
import { commitGate, eventually, inherited, opened, testProcesses, type CutMoment } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startFollowRig } from '../follow-rig.ts'
import { owner } from '../rig.ts'

const long = process.env['TEST_LONG'] === '1'
const main = new URL('../../src/main.ts', import.meta.url)

const rig = opened(() => startFollowRig())
const gate = opened(() => commitGate(rig.stack.databaseOf('gallery').url))
const through = () => rig.environment({ SVC_POSTGRES_URL: gate.url })
const processes = testProcesses(main, through)

// Processes go by the time of the machine, and so does the world.
const now = () => rig.clock.set(new Date())
beforeAll(async () => {
  await rig.end()
  now()
})

const jobs = new Set<ChildProcess>()
afterAll(() => {
  for (const child of jobs) child.kill('SIGKILL')
})

/** Runs the job once in a process, which is killed at a commit; returns what ended it. */
async function followOnce(at: number | null, moment: CutMoment = 'before'): Promise<'killed' | 'done'> {
  const child = fork(fileURLToPath(main), ['--job', 'followSignals', '--once'], {
    execArgv: [],
    env: { ...inherited(), ...through() },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  jobs.add(child)
  if (at !== null) gate.cutAt(at, moment, () => child.kill('SIGKILL'))
  const [code] = (await once(child, 'exit')) as [number | null]
  jobs.delete(child)
  gate.open()
  expect([null, 0]).toContain(code)
  return code === null ? 'killed' : 'done'
}
const moments: readonly CutMoment[] = ['before', 'after']

test('a runner killed before or after any of its commits leaves a signal to one verdict, with each order executed and paid for once', async () => {
  const listing = await rig.newListing({ price: 3 })
  now()
  const follower = await processOfHire(listing.listingId)
  const outcomes: string[] = []
  // A short run kills at each fourth commit, before and after by turns.
  for (let at = 0; outcomes.at(-1) !== 'done'; at += long ? 1 : 4)
    for (const moment of long ? moments : [moments[(at / 4) % 2] ?? 'before']) {
      now()
      const signal = await rig.publish(listing, { side: outcomes.length % 2 === 0 ? 'long' : 'short' })
      outcomes.push(await followOnce(at, moment))
      const verdicts = await eventually(async () => {
        const found = (await rig.verdicts(follower)).filter(({ seq }) => seq === signal.seq)
        if (found.length > 0) return found
        // An order that a killed process has claimed is taken over when the claim expires.
        await followOnce(null)
        return expect.fail('the verdict is not read again')
      })
      const executed = rig.world.executed.filter(({ key }) => key.includes(signal.id))
      expect([at, moment, verdicts.map(({ kind }) => kind)]).toEqual([at, moment, ['followed']])
      expect([at, moment, executed.length]).toEqual([at, moment, outcomes.length === 1 ? 1 : 2])
      expect(rig.world.paid.get(`${follower.ownerId} ${listing.vaultId}:${signal.seq}`)).toBe(1)
    }
  expect(outcomes.length).toBeGreaterThan(2)
})

/** Hires a listing through a process that no test kills. */
async function processOfHire(listingId: string) {
  const follower = rig.world.newFollower()
  const child = await processes.start()
  await rig.as(owner(follower.ownerId)).hireListing({ listing_id: listingId, mandate_id: follower.id })
  await processes.kill(child)
  return follower
}

test('a process killed before or after any commit of a hire leaves one follow, and the same hire again is answered', async () => {
  const listing = await rig.newListing()
  const outcomes = new Set<string>()
  // Commit by commit, first before and then after it, until one hire needs no more.
  for (let cut = 0; !outcomes.has('done'); cut += 1) {
    const [at, moment] = [cut >> 1, moments[cut % 2] ?? 'before'] as const
    const follower = rig.world.newFollower()
    const hire = (key?: string) =>
      rig
        .as(owner(follower.ownerId), key === undefined ? {} : { idempotencyKey: key })
        .hireListing({ listing_id: listing.listingId, mandate_id: follower.id })
    const child = await processes.start()
    const died = Promise.withResolvers<null>()
    const kill = () => died.resolve((child.kill('SIGKILL'), null))
    gate.cutAt(at, moment, kill, /idempotency|INTO follow\b/)
    const first = await Promise.race([hire(`hire-${at}-${moment}`).catch(() => null), died.promise])
    outcomes.add(first === null ? 'killed' : 'done')
    await processes.kill(child)
    gate.open()
    await rig.restart()
    const again = await hire()
    expect(again.status).toBe('following')
    if (first !== null) expect(again).toEqual(first)
    expect([at, moment, await follows(follower.id)]).toEqual([at, moment, 1])
    await rig.end()
  }
  expect(outcomes).toEqual(new Set(['killed', 'done']))
})

const follows = (mandateId: string) =>
  rig.pool.oneFirst(
    sql.type(z.object({ n: z.number() }))`SELECT count(*)::int AS n FROM follow WHERE mandate_id = ${mandateId}`,
  )
