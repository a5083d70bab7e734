import { contract, event, type Contract } from '@svc/contract'
import { eventually, opened, testStack } from '@svc/testing'
import { expectFires, scrapeHere } from '@svc/testing/alerts'
import { expect, test } from 'vitest'
import { z } from 'zod'

const both = ['north', 'south'].map((name) =>
  contract(name, {
    title: name,
    operations: {},
    postgres: false,
    events: { thingMade: event({ summary: 'A thing was made', payload: z.object({}) }) },
  }),
) as unknown as readonly Contract[]
const stack = opened(() => testStack(both))

test('a service that does on NATS what its permissions do not allow fires an alert', async () => {
  const north = await stack.nats.connect('north')
  const refused = async () => {
    const scrape = await scrapeHere()
    const kind = /^hub_bus_problems_total\{.*service="north",kind="permission"/
    return { scrape, count: [...scrape.series].find(([name]) => kind.test(name))?.[1] }
  }
  const before = await refused()
  expect(before.count).toBe('0')
  north.connection.publish('evt.south.thingMade', '{}')
  await eventually(async () => expect((await refused()).count).toBe('1'))
  await expectFires('PermissionViolation', { before: [before.scrape], after: [(await refused()).scrape] })
  await north.close()
})
