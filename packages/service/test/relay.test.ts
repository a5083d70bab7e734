import { setImmediate as immediate } from 'node:timers/promises'
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { TimeoutError } from '@nats-io/nats-core'
import { streamOf } from '@svc/contract'
import { emitAll, openPool, sql, type Pool } from '@svc/postgres'
import { openLog, type Bus } from '@svc/service'
import { disposableCluster, eventually, opened } from '@svc/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { relayOutbox } from '../src/relay.ts'
import { alpha, contracts, prepare } from './fixture.ts'

const STREAM = streamOf('alpha')
const stack = opened(() => prepare())
let pool: Pool
beforeAll(async () => {
  pool = await openPool(stack.databaseOf('alpha').url)
})
afterAll(() => pool?.end())

/** The bus on which something happens before messages leave; `isLost` is asked for each, by its turn, from 1, and its subject. */
function lossy(bus: Bus, isLost: (turn: number, subject: string) => boolean): Bus {
  let turn = 0
  const request: typeof bus.connection.request = (subject, data, options) =>
    isLost((turn += 1), subject) ? Promise.reject(new TimeoutError()) : bus.connection.request(subject, data, options)
  return { ...bus, connection: Object.assign(Object.create(bus.connection), { request }) }
}

const counted = z.object({ n: z.number() })
const waiting = () => pool.oneFirst(sql.type(counted)`SELECT count(*) AS n FROM outbox`)
const emit = (ids: readonly number[]) =>
  pool.transaction((tx) =>
    emitAll(
      tx,
      ids.map((id) => ({ event: alpha.events.thingMade, payload: { id } })),
    ),
  )
const relay = (bus: Bus, from = pool) =>
  relayOutbox({ pool: from, bus, service: 'alpha', log: openLog('alpha', 'silent') })(new AbortController().signal)
/** Puts the newest sent events back, as if the process had ended before it noted that they are sent. */
const forget = (newest: number) =>
  pool.query(sql.unsafe`
    WITH gone AS (
      DELETE FROM sent_event WHERE id IN (SELECT id FROM sent_event ORDER BY id DESC LIMIT ${newest}) RETURNING *
    )
    INSERT INTO outbox (id, seq, subject, payload) OVERRIDING SYSTEM VALUE SELECT id, seq, subject, payload FROM gone`)

describe.each([
  ['one node', () => stack.nats],
  ['three nodes', () => disposableCluster(contracts, {})],
] as const)('in a stream of %s', (_, open) => {
  const nats = opened(async () => open())
  let bus: Bus
  let manager: JetStreamManager
  beforeAll(async () => {
    bus = await nats.connect('alpha')
    manager = await jetstreamManager((await nats.connect('provisioner')).connection, { checkAPI: false })
  })
  beforeEach(async () => {
    await manager.streams.purge(STREAM)
    await pool.query(sql.unsafe`WITH sent AS (DELETE FROM sent_event) DELETE FROM outbox`)
  })

  /** What the stream has, oldest first. */
  const stored = async () => {
    const { state } = await manager.streams.info(STREAM)
    const ids: number[] = []
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1)
      ids.push((await manager.streams.getMessage(STREAM, { seq }))?.json<{ payload: { id: number } }>().payload.id ?? 0)
    return ids
  }

  test('a failure to note what was sent ends the run alone, also while it looks for further events', async () => {
    await emit([1])
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    // Postgres fails at once when the event is noted, and answers the look for further ones later.
    const failing = Object.assign(Object.create(pool) as Pool, {
      query: () => Promise.reject(new Error('the lease has ended')),
      maybeOne: async (query: Parameters<Pool['maybeOne']>[0]) => {
        await immediate()
        return pool.maybeOne(query)
      },
    })
    await expect(relay(bus, failing)).rejects.toThrow('the lease has ended')
    await immediate()
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
    await relay(bus)
    expect(await stored()).toEqual([1])
  })

  test.each([
    ['the second', (turn: number) => turn === 2],
    ['one in the middle', (turn: number) => turn === 4],
    ['all but the first', (turn: number) => turn > 1 && turn <= 6],
  ])(
    'a batch that lost %s of its six events on the way is not taken for sent: each is stored once, in order',
    async (_lost, isLost) => {
      await emit([1, 2, 3, 4, 5, 6])
      const unreliable = lossy(bus, isLost)
      // Nodes that agree on an event still tell so when it comes again: the next run goes on.
      await eventually(() => relay(unreliable))
      expect(await stored()).toEqual([1, 2, 3, 4, 5, 6])
      expect(await waiting()).toBe(0)
    },
  )

  test('a foreign message between the events of a batch takes the place of none: each is stored once', async () => {
    await emit([1, 2, 3, 4, 5, 6])
    const foreign = JSON.stringify({ payload: { id: 0 } })
    await relay(
      lossy(bus, (turn, subject) => {
        if (turn === 4) bus.connection.publish(subject, foreign)
        return false
      }),
    )
    const ids = await stored()
    expect(ids.slice(0, 4)).toEqual([1, 2, 3, 0])
    expect(ids.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(await waiting()).toBe(0)
  })

  test('an event that another process writes while a batch is published leaves in the same run', async () => {
    await emit([1, 2])
    let later: Promise<unknown> | null = null
    const { connection } = bus
    const request: typeof connection.request = async (...asked) => {
      later ??= emit([3])
      await later
      return connection.request(...asked)
    }
    await relay({ ...bus, connection: Object.assign(Object.create(connection), { request }) })
    expect(await stored()).toEqual([1, 2, 3])
    expect(await waiting()).toBe(0)
  })

  test('a batch that was stored but not noted as sent is stored once, also before later events', async () => {
    await emit([1, 2, 3, 4])
    await relay(bus)
    await forget(2)
    await emit([5, 6])
    await eventually(() => relay(bus))
    await forget(6)
    await eventually(() => relay(bus))
    expect(await stored()).toEqual([1, 2, 3, 4, 5, 6])
    expect(await waiting()).toBe(0)
  })

  test('batches that Postgres did not note as sent, while the next one was published already, are stored once, in order', async () => {
    const ids = Array.from({ length: 410 }, (_, at) => at + 1)
    await emit(ids)
    let notes = 0
    const query: Pool['query'] = (statement) =>
      (notes += 1) === 1 ? Promise.reject(new Error('not noted')) : pool.query(statement)
    await expect(relay(bus, { ...pool, query })).rejects.toThrow('not noted')
    // The second batch was stored meanwhile, and neither is noted.
    expect((await stored()).length).toBe(400)
    expect(await waiting()).toBe(ids.length)
    await eventually(() => relay(bus))
    expect(await stored()).toEqual(ids)
    expect(await waiting()).toBe(0)
  })

  test('a stream that is gone leaves all events in the outbox', async () => {
    const { config } = await manager.streams.info(STREAM)
    await manager.streams.delete(STREAM)
    await emit([1, 2, 3])
    await expect(relay(bus)).rejects.toThrow('an event was not acknowledged')
    expect(await waiting()).toBe(3)
    await manager.streams.add(config)
  })
})
