import { fileURLToPath } from 'node:url'
import { jetstream } from '@nats-io/jetstream'
import { contract, event, type Contract } from '@svc/contract'
import { migrate, openPool } from '@svc/postgres'
import { metricsText, openLog, systemClock } from '@svc/service'
import { eventually, opened, testStack } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openLag } from '../src/lag.ts'
import { watchNeeds } from '../src/watch-needs.ts'

const publishers = ['north', 'south'].map((name) =>
  contract(name, {
    title: name,
    operations: {},
    postgres: false,
    events: { thingMade: event({ summary: 'A thing was made', payload: z.object({}) }) },
  }),
) as unknown as readonly Contract[]
const listener = contract('listener', {
  title: 'Listener',
  operations: {},
  consumes: ['north.thingMade', 'south.thingMade'],
}) as unknown as Contract
const stack = opened(() => testStack([...publishers, listener]))

test('a service that reacts to events of one name from two services tells the lag of each', async () => {
  const { url, migratorUrl } = stack.databaseOf('listener')
  const directory = fileURLToPath(new URL('./migrations/beta', import.meta.url))
  await migrate({ url: migratorUrl, schema: 'listener', directory })
  const [north, bus, pool] = await Promise.all([
    stack.nats.connect('north'),
    stack.nats.connect('listener'),
    openPool(url),
  ])
  const needs = watchNeeds({ contract: listener, bus, clock: systemClock, log: openLog('listener', 'silent') })
  try {
    for (const _ of [1, 2]) await jetstream(north.connection).publish('evt.north.thingMade', '{}')
    const lag = openLag(listener, pool, needs)
    lag.lead(true)
    // NATS counts a stored event for its consumers a moment later.
    await eventually(async () => {
      await lag.measure(new AbortController().signal)
      const metrics = (await metricsText())
        .split('\n')
        .filter((line) => /^hub_consumer_pending\{.*"listener--/.test(line))
      expect(metrics.map((line) => line.replace(',otel_scope_name="svc"', '')).sort()).toEqual([
        'hub_consumer_pending{stream="EVT_NORTH",consumer="listener--thingMade"} 2',
        'hub_consumer_pending{stream="EVT_SOUTH",consumer="listener--thingMade"} 0',
      ])
    })
  } finally {
    needs.stop()
    await Promise.all([north.close(), bus.close(), pool.end()])
  }
})
