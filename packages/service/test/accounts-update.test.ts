import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { consumerOf, streamOf, type Event } from '@svc/contract'
import { emit, openPool, sql, type Pool } from '@svc/postgres'
import { openFiles, openLog, systemClock, type Bus, type Job } from '@svc/service'
import { disposableCluster, eventually, opened } from '@svc/testing'
import { withoutAccounts } from '@svc/testing/without-accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { react, type Reactor } from '../src/react.ts'
import { relayOutbox } from '../src/relay.ts'
import { alpha, contracts, prepare } from './fixture.ts'

const STREAM = streamOf('alpha')
const CONSUMER = consumerOf('beta', 'thingMade')
const log = openLog('alpha', 'silent')
const stack = opened(() => prepare())
const cluster = opened(() => disposableCluster(contracts, { usersNow: withoutAccounts }))
let alphaDb: Pool
let betaDb: Pool
beforeAll(async () => {
  alphaDb = await openPool(stack.databaseOf('alpha').url)
  betaDb = await openPool(stack.databaseOf('beta').url)
})
afterAll(() => Promise.all([alphaDb?.end(), betaDb?.end()]))

/** A publisher and a reader of one release, each with its own connection to any node. */
interface Release {
  readonly relay: Job
  readonly reader: Bus
  readonly reactor: Reactor
  stop(): Promise<void>
}

/** `api`: name of JetStream's interfaces in the accounts of the release. */
async function start(api: string): Promise<Release> {
  const [publisher, reader] = await Promise.all(
    ['alpha', 'beta'].map(async (name): Promise<Bus> => ({ ...(await cluster.connect(name)), streamsApi: api })),
  )
  if (publisher === undefined || reader === undefined) throw new Error('no connection')
  const reactor = react({
    pool: betaDb,
    bus: reader,
    service: 'beta',
    event: alpha.events.thingMade as unknown as Event,
    reaction: {
      apply: async (tx, { payload: { id } }) => {
        await tx.query(sql.unsafe`INSERT INTO seen (thing_id) VALUES (${id})`)
      },
    },
    clock: systemClock,
    log,
    wake: () => {},
    changed: () => {},
  })
  return {
    relay: relayOutbox({ pool: alphaDb, bus: publisher, service: 'alpha', log }),
    reader,
    reactor,
    stop: async () => {
      await reactor.stop()
      await Promise.all([publisher.close(), reader.close()])
    },
  }
}

let made = 0
const make = async () => {
  await alphaDb.transaction((tx) => emit(tx, alpha.events.thingMade, { id: made + 1 }))
  made += 1
}
const all = () => Array.from({ length: made }, (_, at) => at + 1)
const seen = async () => {
  const ids = await betaDb.anyFirst(sql.type(z.object({ id: z.number() }))`SELECT thing_id AS id FROM seen`)
  return ids.toSorted((one, other) => one - other)
}

test('while a cluster gets accounts node by node, and loses them again in all nodes at once, publishers and readers of both releases lose no event, each takes effect once, and files stay', async () => {
  const signal = new AbortController().signal
  const former = await start('$JS.API')
  const bytes = randomBytes(300_000)
  const store = (reader: Bus) => openFiles(reader, 'beta-files')
  const digest = (data: Uint8Array) => createHash('sha256').update(data).digest('hex')
  await (await store(former.reader)).put('one', bytes)

  // One event is in flight and one unread when the first node ends: nobody reads but this consumer.
  await former.reactor.stop()
  for (const _ of ['in flight', 'unread']) await make()
  await eventually(() => former.relay(signal))
  const consumer = await jetstream(former.reader.connection, { checkAPI: false }).consumers.get(STREAM, CONSUMER)
  expect((await consumer.next())?.subject).toBe(alpha.events.thingMade.subject)
  await former.stop()

  const releases = [await start('$JS.API'), await start('STREAMS')]
  const going = new AbortController()
  const making = (async () => {
    while (!going.signal.aborted) {
      await make()
      await delay(20)
    }
  })()
  // One leader relays at a time, of either release.
  const relaying = (async () => {
    while (!going.signal.aborted)
      for (const { relay } of releases) {
        await relay(signal).catch(() => {})
        await delay(20)
      }
  })()
  const manager = await jetstreamManager((await cluster.connect('provisioner')).connection, { checkAPI: false })
  const keepsAll = async (reader: Bus) => {
    const known = made
    await eventually(async () => expect((await seen()).length).toBeGreaterThan(known))
    const read = (await (await store(reader)).read('one')) ?? new ReadableStream<Uint8Array>()
    expect(digest(new Uint8Array(await new Response(read).arrayBuffer()))).toBe(digest(bytes))
  }
  for (const node of [2, 1, 0]) await cluster.update(node, cluster.users)
  await keepsAll(releases[1]!.reader)
  await Promise.all([0, 1, 2].map((node) => cluster.update(node, withoutAccounts(cluster.users))))
  await keepsAll(releases[0]!.reader)

  going.abort()
  await Promise.all([making, relaying])
  await eventually(() => releases[0]!.relay(signal))
  await eventually(async () => expect(await seen()).toEqual(all()))
  await eventually(async () => {
    const { num_pending, num_ack_pending } = await manager.consumers.info(STREAM, CONSUMER)
    expect({ num_pending, num_ack_pending }).toEqual({ num_pending: 0, num_ack_pending: 0 })
  })
  expect(await seen()).toEqual(all())
  await Promise.all(releases.map((release) => release.stop()))
})
