import { randomUUID } from 'node:crypto'
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { openPool, publishAgain, sql, type Pool } from '@svc/postgres'
import { callRaw, dropStreams, isOutage, provision, refuseReaders, type Bus } from '@svc/service'
import { prepareDatabase, withClient } from '@svc/servers'
import { eventually, opened } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { agent, alpha, contracts, prepare, startAlpha, startBeta, withSettings } from './fixture.ts'

let provisioner: Bus
let gateway: Bus
let betaDb: Pool
const stack = opened(() => prepare())
beforeAll(async () => {
  provisioner = await stack.nats.connect('provisioner')
  gateway = await stack.nats.connect('gateway')
  betaDb = await openPool(stack.databaseOf('beta').url)
})
afterAll(async () => {
  await Promise.all([provisioner?.close(), gateway?.close(), betaDb?.end()])
})

const counted = z.object({ id: z.number() })
async function make(): Promise<number> {
  const head = { id: randomUUID(), by: Date.now() + 10_000, caller: agent, key: randomUUID() }
  const input = JSON.stringify({ name: `thing ${randomUUID()}` })
  const { body } = await callRaw(gateway, 'gateway', alpha.operations.makeThing, input, head)
  return counted.parse(JSON.parse(String(body))).id
}
const seen = () => betaDb.anyFirst(sql.type(counted)`SELECT thing_id AS id FROM seen ORDER BY thing_id`)
const superuserUrl = () => stack.databaseOf('alpha').superuserUrl
const inAlpha = (text: string) => withClient(superuserUrl(), (client) => client.query(text))
const unsent = async () => Number((await inAlpha('SELECT count(*) AS n FROM alpha.outbox')).rows[0]?.n)

test('after a restore to an earlier moment and new streams each event takes effect once: those that were read, those whose effect the restore undid, those that nobody had read, and those made later', async () => {
  let publisher = await startAlpha(stack)
  let reader = await startBeta(stack)
  const read = [await make(), await make()]
  await eventually(async () => expect(await seen()).toEqual(read))
  await expect(refuseReaders(provisioner, contracts)).rejects.toThrow('is read: stop all services first')
  await reader.stop()
  const unread = [await make()]
  await eventually(async () => expect(await unsent()).toBe(0))
  // The restore undoes an effect of an event that the stream has ended.
  await betaDb.query(sql.unsafe`DELETE FROM seen WHERE thing_id = ${read[1] ?? 0}`)
  await betaDb.query(sql.unsafe`DELETE FROM inbox WHERE event_id = (SELECT max(event_id) FROM inbox)`)
  // What the reader knows of a history that the restored publisher does not have.
  const { rows } = await inAlpha('SELECT last_value + 1 AS next FROM alpha.outbox_id_seq')
  await betaDb.query(sql.unsafe`INSERT INTO inbox (event_id) VALUES (${`alpha-${rows[0]?.next}`})`)

  await expect(publishAgain({ url: superuserUrl(), schema: 'alpha', restored: true })).rejects.toThrow(
    'stop all services first',
  )
  await publisher.stop()
  await refuseReaders(provisioner, contracts)
  expect(await publishAgain({ url: superuserUrl(), schema: 'alpha', restored: true })).toBe(read.length + unread.length)
  await dropStreams(provisioner, contracts)
  await provision(provisioner, contracts)

  reader = await startBeta(stack)
  publisher = await startAlpha(stack)
  const later = [await make()]
  await eventually(async () => expect(await seen()).toEqual([...read, ...unread, ...later]))
  await eventually(async () => expect(await unsent()).toBe(0))
  expect(await seen()).toEqual([...read, ...unread, ...later])
  await Promise.all([publisher.stop(), reader.stop()])
})

test.each([
  ['the consumer', (manager: JetStreamManager) => manager.consumers.delete('EVT_ALPHA', 'beta--thingMade')],
  ['the stream', (manager: JetStreamManager) => manager.streams.delete('EVT_ALPHA')],
])('while events are made, %s is deleted and repaired: each event takes effect once', async (_, destroy) => {
  await provision(provisioner, contracts)
  const manager = await jetstreamManager(provisioner.connection, { checkAPI: false })
  const [publisher, reader] = [await startAlpha(stack), await startBeta(stack)]
  const before = await seen()
  const made: number[] = []
  let making = true
  const makes = (async () => {
    while (making) made.push(await make())
  })()
  const more = async (count: number) => {
    const known = made.length
    await eventually(() => expect(made.length).toBeGreaterThanOrEqual(known + count))
  }
  try {
    await more(20)
    await destroy(manager)
    await more(20)
    await provision(provisioner, contracts)
    await publishAgain({ url: superuserUrl(), schema: 'alpha', restored: false })
    await more(20)
    // Whoever is unsure repairs twice.
    await publishAgain({ url: superuserUrl(), schema: 'alpha', restored: false })
    await more(20)
  } finally {
    making = false
    await makes
  }
  await eventually(async () => expect((await seen()).length).toBe(before.length + made.length))
  await eventually(async () => expect(await unsent()).toBe(0))
  expect(await seen()).toEqual([...before, ...made])
  await Promise.all([publisher.stop(), reader.stop()])
})

test('a service changes its Postgres password while it is asked all the time: it moves to its other role and back, and that role is closed, without a refused request', async () => {
  const { url, superuserUrl: cluster } = stack.databaseOf('alpha')
  const database = new URL(cluster).pathname.slice(1)
  const roles = (more: { appBPassword?: string }) =>
    prepareDatabase({
      superuserUrl: cluster,
      database,
      schemas: [{ schema: 'alpha', migratorPassword: 'test-alpha_migrator', appPassword: 'test-alpha_app', ...more }],
      connectionLimit: 250,
    })
  const other = new URL(url)
  other.username = 'alpha_app_b'
  other.password = randomUUID()
  const logsIn = () => withClient(other.href, (client) => client.query('SELECT FROM thing LIMIT 1'))

  let serving = await startAlpha(stack)
  let asked = 0
  let asking = true
  const asks = (async () => {
    while (asking) asked = await make()
  })()
  const moveTo = async (login: string) => {
    const next = await startAlpha(withSettings(stack, { SVC_POSTGRES_URL: login }))
    await serving.stop()
    serving = next
    const before = asked
    await eventually(() => expect(asked).toBeGreaterThan(before + 2))
  }
  try {
    await roles({ appBPassword: other.password })
    await moveTo(other.href)
    await moveTo(url)
    await logsIn()
    await roles({})
    await expect(logsIn()).rejects.toThrow('alpha_app_b')
  } finally {
    asking = false
    await asks
  }
  await serving.stop()
})

test('a write to a Postgres that only reads, as during a failover, is an outage and not a bug', async () => {
  const failure = await betaDb
    .transaction(async (tx) => {
      await tx.query(sql.unsafe`SET TRANSACTION READ ONLY`)
      await tx.query(sql.unsafe`INSERT INTO inbox (event_id) VALUES ('never')`)
    })
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(isOutage(failure)).toBe(true)
})
