import { randomUUID } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import { migrate } from '@svc/postgres'
import { withClient } from '@svc/servers'
import { callRaw, metricsText, provision, type Bus, type RunningService } from '@svc/service'
import { eventually, opened } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agent, alpha, contracts, prepare, startAlpha, startBeta } from './fixture.ts'

let service: RunningService
let edge: Bus
const stack = opened(() => prepare())
beforeAll(async () => {
  service = await startAlpha(stack)
  edge = await stack.nats.connect('gateway')
})
afterAll(() => Promise.all([edge.close(), service.stop()]))

const asSuperuser = (statement: string) =>
  withClient(stack.databaseOf('alpha').superuserUrl, (client) => client.query(statement))
const makeThing = async () => {
  const head = { id: randomUUID(), by: Date.now() + 5_000, caller: agent }
  return (await callRaw(edge, 'gateway', alpha.operations.makeThing, '{"name":"a"}', head)).head
}
const metrics = async () => (await metricsText()).replaceAll(',otel_scope_name="svc"', '').split('\n')
const metric = async (line: string) => expect(await metrics()).toContainEqual(line)

test('a service is not ready while its schema lacks a migration of its release', async () => {
  const ready = async () => service.checks['schema']?.()
  expect(await ready()).toBe(true)
  await asSuperuser("UPDATE alpha.migrations_kit SET name = name || '-gone' WHERE name = '0004-answers-json'")
  expect(await ready()).toBe(false)
  await asSuperuser("UPDATE alpha.migrations_kit SET name = '0004-answers-json' WHERE name LIKE '%-gone'")
  expect(await ready()).toBe(true)
})

test('a call whose table or column is missing gets 503 and raises an alarm; after the migration it succeeds', async () => {
  const steps = [
    ['ALTER TABLE alpha.thing RENAME TO later', 'ALTER TABLE alpha.later RENAME TO thing'],
    ['ALTER TABLE alpha.thing RENAME name TO later', 'ALTER TABLE alpha.thing RENAME later TO name'],
  ] as const
  for (const [before, migration] of steps) {
    await asSuperuser(before)
    expect(await makeThing()).toMatchObject({ s: 503, retry: 1 })
    await asSuperuser(migration)
    expect(await makeThing()).toMatchObject({ s: 201 })
  }
  await metric('hub_alarms_total{alarm="schema_behind",subject="makeThing"} 2')
})

test('only the migrator role migrates a schema', async () => {
  const wrong = { url: stack.databaseOf('alpha').url, schema: 'alpha', directory: import.meta.dirname }
  await expect(migrate(wrong)).rejects.toThrow(/permission denied to set role/)
})

test('a service is ready for events only while its consumer exists, and tells how far it and the outbox lag', async () => {
  const provisioner = await stack.nats.connect('provisioner')
  const manager = await jetstreamManager(provisioner.connection, { checkAPI: false })
  await manager.consumers.delete('EVT_ALPHA', 'beta--thingMade')
  const beta = await startBeta(stack)
  try {
    expect(await beta.checks['events']?.()).toBe(false)
    await provision(provisioner, contracts)
    await eventually(async () => expect(await beta.checks['events']?.()).toBe(true))
    await eventually(async () => {
      for (const name of ['alpha', 'beta']) {
        await metric(`hub_leader{service="${name}"} 1`)
        await metric(`hub_outbox_pending{service="${name}"} 0`)
        await metric(`hub_outbox_oldest_age_seconds{service="${name}"} 0`)
      }
      await metric('hub_consumer_pending{stream="EVT_ALPHA",consumer="beta--thingMade"} 0')
    })
  } finally {
    await Promise.all([beta.stop(), provisioner.close()])
  }
  await metric('hub_leader{service="beta"} 0')
  expect((await metrics()).filter((line) => line.startsWith('hub_outbox_pending{service="beta"}'))).toEqual([])
})
