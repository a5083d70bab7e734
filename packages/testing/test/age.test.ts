import { jetstream } from '@nats-io/jetstream'
import { contract, event, streamOf, streamOfBucket } from '@svc/contract'
import { openFiles } from '@svc/service'
import { ageNats, ageRedis, disposableNats, emptyRedisDatabase, eventually } from '@svc/testing'
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { z } from 'zod'

const HOUR_MS = 3_600_000

test('ageing a stream ends its files and the message ids that it knows, and leaves its settings as they were', async () => {
  const papers = contract('papers', {
    title: 'Papers',
    operations: {},
    events: { paperMade: event({ summary: 'A paper was made', payload: z.object({}) }) },
    buckets: ['papers'],
    filesKeptSec: 7_200,
  })
  const nats = await disposableNats([papers])
  const [provisioner, service] = await Promise.all([nats.connect('provisioner'), nats.connect('papers')])
  const files = await openFiles(service, 'papers')
  await files.put('a', new Uint8Array(10))
  const isDuplicate = async () =>
    (await jetstream(service.connection).publish(papers.events.paperMade.subject, '{}', { msgID: '1' })).duplicate
  expect([await isDuplicate(), await isDuplicate()]).toEqual([false, true])

  await ageNats(provisioner, streamOf('papers'), HOUR_MS)
  await eventually(async () => !(await isDuplicate()))
  await ageNats(provisioner, streamOfBucket('papers'), HOUR_MS)
  expect(await files.read('a')).not.toBeNull()
  await ageNats(provisioner, streamOfBucket('papers'), 3 * HOUR_MS)
  expect(await files.read('a')).toBeNull()
  await files.put('b', new Uint8Array(10))
  expect(await files.read('b')).not.toBeNull()
  await Promise.all([provisioner.close(), service.close()])
  await nats.stop()
})

test('ageing Redis ends the keys whose time has come, and no key that has none', async () => {
  const url = await emptyRedisDatabase()
  const redis = new Redis(url)
  await redis.set('an-hour', 1, 'PX', HOUR_MS)
  await redis.set('a-day', 1, 'PX', 24 * HOUR_MS)
  await redis.set('for-ever', 1)
  expect(await ageRedis(url, 2 * HOUR_MS)).toBe(1)
  expect((await redis.keys('*')).toSorted()).toEqual(['a-day', 'for-ever'])
  expect(await redis.pttl('a-day')).toBeLessThanOrEqual(22 * HOUR_MS)
  redis.disconnect()
})
