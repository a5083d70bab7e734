import { outboundGauges } from '@svc/outbound'
import { FaultyPeer, Killed, TestProcess } from '@svc/outbound/testing'
import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { adapterOf, CLAIM_MS, deedsOf, insertLaunched, kind, newDeed, openDeeds, type Deed } from './effect-rig.ts'

const database = opened(() => openDeeds())
let peer: FaultyPeer
let [one, other]: TestProcess[] = []

beforeEach(() => {
  peer = new FaultyPeer()
  peer.now = Date.parse('2026-11-29T12:00:00Z')
  ;[one, other] = [0, 1].map(() => new TestProcess(() => peer.now))
})
afterEach(async () => void (await database.pool.query(sql.unsafe`DELETE FROM deed`)))

const machineOf = (process = one) => {
  if (process === undefined) throw new Error('no process')
  const machine = deedsOf(database.pool, process)
  return { machine, adapter: adapterOf(process, peer, { plan: 'sign', replaces: false }) }
}
const unclear = () => Promise.resolve({ says: 'unclear' } as const)
const all = { where: sql.fragment`true`, order: sql.fragment`id`, max: 10 }

test('a caller gets its effect as it ended, also while its neighbours are away, and the job informs them later', async () => {
  const { machine, adapter } = machineOf()
  peer.reportFails = true
  const id = await newDeed(database.pool)
  expect(await machine.drive(id, adapter, 1)).toMatchObject({
    effect_outcome: 'done',
    result: 'done',
    effect_copies: 1,
  })
  expect(await database.pool.transaction((tx) => machine.rows.list(tx, 10))).toMatchObject([
    { id, effect_state: 'ended' },
  ])
  peer.reportFails = false
  await machine.resume(adapter, all)
  expect(await database.pool.transaction((tx) => machine.rows.list(tx, 10))).toEqual([])
  expect([...peer.informed]).toEqual(['done'])
})

test('a caller waits a moment for another process that works on its effect, and then gets it as it is', async () => {
  const { machine, adapter } = machineOf()
  const id = await newDeed(database.pool)
  const claim = { token: 'another', now: new Date(peer.now), until: new Date(peer.now + CLAIM_MS) }
  await database.pool.transaction((tx) => machine.rows.claim(tx, id, claim, true))
  expect(await machine.follow(id, adapter, 1)).toMatchObject({ effect_state: 'planned', effect_copies: 0 })
  peer.now += CLAIM_MS
  expect(await machine.follow(id, adapter, 1)).toMatchObject({ effect_outcome: 'done', effect_copies: 1 })
  expect(await machine.follow(id, adapter, 1)).toMatchObject({ effect_outcome: 'done', effect_copies: 1 })
  await expect(machine.follow(id + 1, adapter, 1)).rejects.toThrow(`deed ${id + 1} is gone`)
})

test('a row that a process has claimed is left alone until the claim expires, and the former owner then stores nothing', async () => {
  const [{ machine }, second] = [machineOf(), machineOf(other)]
  const id = await newDeed(database.pool)
  const claimBy = (token: string) => {
    const now = new Date(peer.now)
    return { token, now, until: new Date(peer.now + CLAIM_MS) }
  }
  const first = claimBy('first')
  const { rows } = machine
  const run = database.pool.transaction.bind(database.pool)
  expect(await run((tx) => rows.claim(tx, id, first, false))).toMatchObject({ effect_state: 'planned' })
  expect(await second.machine.drive(id, second.adapter, 1)).toBeNull()
  expect(await second.machine.resume(second.adapter, all)).toEqual({ found: 0, ended: 0, sent: 0 })
  peer.now += CLAIM_MS
  expect(await run((tx) => rows.claim(tx, id, claimBy('second'), false))).not.toBeNull()
  expect(await run((tx) => rows.sign(tx, id, first))).toBeNull()
  expect(await run((tx) => rows.postpone(tx, id, first, first.now))).toBeNull()
  expect(await run((tx) => rows.sign(tx, id, claimBy('second')))).toMatchObject({ effect_state: 'signed' })
})

test('rows that a wrong clock has put off for hours are found and made due', async () => {
  const { machine, adapter } = machineOf()
  const id = await newDeed(database.pool)
  await database.pool.query(sql.unsafe`
    UPDATE deed SET effect_claim = 'gone', effect_claim_until = '2027-01-01', effect_next_at = '2027-01-01'`)
  expect(await machine.resume(adapter, all)).toMatchObject({ found: 0 })
  await machine.sweep()
  expect(await machine.resume(adapter, all)).toMatchObject({ found: 1 })
  expect(await database.pool.transaction((tx) => machine.rows.find(tx, id))).toMatchObject({ effect_outcome: 'done' })
})

test('a refusal of a later copy ends an effect if the other side has finished with the earlier ones and found nothing', async () => {
  const { machine, adapter } = machineOf()
  const answered = await newDeed(database.pool)
  peer.sendFault = 'busy'
  expect(await machine.drive(answered, adapter, 1)).toMatchObject({ effect_state: 'sent', effect_over_after: peer.now })
  const lost = await newDeed(database.pool)
  peer.sendFault = 'lost'
  await expect(machine.drive(lost, adapter, 1)).rejects.toThrow('lost')
  peer.now += 1_000
  peer.sendFault = 'refused after a look'
  expect(await machine.drive(answered, adapter, 1)).toMatchObject({ effect_outcome: 'refused', effect_copies: 2 })
  // Of this one the first copy may still be on its way.
  expect(await machine.drive(lost, adapter, 1)).toMatchObject({ effect_state: 'sent', effect_copies: 2 })
  peer.sendFault = 'none'
  expect(await machine.drive(lost, adapter, 1)).toMatchObject({ effect_outcome: 'done' })
})

test('an effect that is stored with its bytes leaves at once, without a statement and a look-up before its copy', async () => {
  const { machine, adapter } = machineOf()
  const claim = machine.claim()
  const deed = await insertLaunched(database.pool, claim)
  peer.lookFault = 'outage'
  one?.start({ at: 3, is: 'killed' })
  // The process dies after the answer, and before it stores anything.
  await expect(machine.launch(deed, claim, adapter, 1)).rejects.toThrow(Killed)
  expect([peer.copies, peer.executed.length]).toEqual([1, 1])
  peer.lookFault = 'none'
  one?.start(null)
  const next = machine.claim()
  const whole = await machine.launch(await insertLaunched(database.pool, next), next, adapter, 1)
  expect(whole).toMatchObject({ effect_state: 'sent', effect_copies: 1 })
})

test('an effect that was to leave at once goes on by its bytes after its claim, if its process died before it sent them', async () => {
  const { machine, adapter } = machineOf()
  const { id, body } = await insertLaunched(database.pool, machine.claim())
  expect(await machine.resume(adapter, all)).toMatchObject({ found: 0 })
  peer.now += CLAIM_MS
  expect(await machine.resume(adapter, all)).toEqual({ found: 1, ended: 1, sent: 0 })
  expect(await database.pool.transaction((tx) => machine.rows.find(tx, id))).toMatchObject({
    effect_outcome: 'done',
    effect_copies: 2,
    body,
  })
  expect(peer.executed).toHaveLength(1)
})

test('an effect that left at once ends by its time, also if the other side refused a second copy', async () => {
  const { machine, adapter } = machineOf()
  const claim = machine.claim()
  const deed = await insertLaunched(database.pool, claim)
  peer.sendFault = 'refused'
  const refused = adapterOf(one ?? expect.fail(), peer, { plan: 'sign', replaces: false })
  const unclearFirst = {
    ...refused,
    send: async (row: Deed) => (row.effect_copies === 1 ? unclear() : refused.send(row)),
  }
  expect(await machine.launch(deed, claim, unclearFirst, 2)).toMatchObject({
    effect_state: 'sent',
    effect_copies: 2,
    effect_over_after: refused.validUntil(deed as Deed),
  })
  peer.now += 10 * CLAIM_MS
  await machine.resume(adapter, all)
  expect(await database.pool.transaction((tx) => machine.rows.find(tx, deed.id))).toMatchObject({
    effect_outcome: 'expired',
  })
})

test('a retry makes a row due, and signs, sends and ends nothing; one that is over is not retried', async () => {
  const { machine, adapter } = machineOf()
  const id = await newDeed(database.pool)
  const retry = () => database.pool.transaction((tx) => machine.rows.retry(tx, id, new Date(peer.now)))
  expect(await retry()).toMatchObject({ effect_state: 'planned', effect_copies: 0, body: null })
  expect(peer.copies).toBe(0)
  await machine.drive(id, adapter, 1)
  expect(await retry()).toBeNull()
})

test('an effect whose end the other side took back is sent again with its bytes, and its new end is reported', async () => {
  const { machine, adapter } = machineOf()
  const id = await newDeed(database.pool)
  const ended = await machine.drive(id, adapter, 1)
  peer.executed.length = 0
  peer.informed.clear()
  const change = { set: sql.fragment`result = NULL`, where: sql.fragment`id = ${id}` }
  await database.pool.transaction((tx) => machine.rows.reorganise(tx, change, new Date(peer.now)))
  expect(await machine.drive(id, adapter, 1)).toMatchObject({
    effect_outcome: 'done',
    body: ended?.body,
    effect_copies: 2,
  })
  expect(peer.seen.size).toBe(1)
  expect([...peer.informed]).toEqual(['done'])
})

test('figures count open effects of each kind by their state, and say since when the oldest is in it', async () => {
  const { machine, adapter } = machineOf()
  peer.sendFault = 'lost'
  await newDeed(database.pool)
  const id = await newDeed(database.pool)
  await expect(machine.drive(id, adapter, 1)).rejects.toThrow('lost')
  await database.pool.query(sql.unsafe`UPDATE deed SET effect_since = now() - interval '1 hour' WHERE id = ${id}`)
  const gauges = outboundGauges(database.pool, [kind])
  const labels = (state: string) => ({ kind: 'deed', state })
  expect(await gauges['hub_outbound_open']?.read()).toEqual([
    { labels: labels('planned'), value: 1 },
    { labels: labels('signed'), value: 0 },
    { labels: labels('sent'), value: 1 },
    { labels: labels('ended'), value: 0 },
  ])
  const oldest = await gauges['hub_outbound_oldest_seconds']?.read()
  expect(oldest).toContainEqual({ labels: labels('sent'), value: expect.closeTo(3600, -2) as number })
})
