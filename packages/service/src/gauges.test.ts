import { eventually } from '@svc/testing'
import { expect, test } from 'vitest'
import { countsByState, openGauges, readTogether, type Gauges } from './gauges.ts'
import { gaugeOf } from './instruments.ts'
import { metricsText } from './meters.ts'

test('gauges that ask while a shared reader reads get the same answer, and the next turn reads again', async () => {
  let reads = 0
  const read = readTogether(async () => (reads += 1))
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1])
  expect(await read()).toBe(2)
})

test('a shared reader that failed reads again', async () => {
  let fails = true
  const read = readTogether(async () => {
    if (fails) throw new Error('away')
    return 7
  })
  await expect(read()).rejects.toThrow('away')
  fails = false
  expect(await read()).toBe(7)
})

test('states without a row count 0', () => {
  expect(countsByState(['draft', 'active'], [{ state: 'active', count: 2 }])).toEqual({ draft: 0, active: 2 })
})

/** Returns the value of a series without labels; undefined if it is not exposed. */
const exposed = async (name: string) => new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(await metricsText())?.[1]

test('a gauge whose reading fails or hangs is absent until it is read again, and the others are exposed', async () => {
  const hanging = Promise.withResolvers<number>()
  let reads = 0
  let works = true
  const gauges: Gauges = {
    hub_test_good: { description: 'Good', read: () => 1 },
    hub_test_failing: {
      description: 'Fails',
      read: () => {
        if (works) return 2
        throw new Error('away')
      },
    },
    hub_test_hanging: {
      description: 'Hangs',
      read: () => {
        reads += 1
        return works ? 3 : hanging.promise
      },
    },
  }
  const { job, lead } = openGauges(gauges, 10)
  const run = () => job?.run(new AbortController().signal)
  const all = () => Promise.all(Object.keys(gauges).map(exposed))
  lead(true)
  await run()
  expect(await all()).toEqual(['1', '2', '3'])
  works = false
  await expect(run()).rejects.toThrow('away')
  expect(await all()).toEqual(['1', undefined, undefined])
  await expect(run()).rejects.toThrow('away')
  expect(reads).toBe(2)
  works = true
  hanging.resolve(4)
  await eventually(run)
  expect(await all()).toEqual(['1', '2', '3'])
  lead(false)
  expect(await all()).toEqual([undefined, undefined, undefined])
})

test('a value that nobody has set for its time is absent', async () => {
  let now = 0
  const set = gaugeOf('hub_test_kept', 'Kept', { keepSec: 60, now: () => now })
  set({}, 5)
  now = 60_000
  expect(await exposed('hub_test_kept')).toBe('5')
  now = 60_001
  expect(await exposed('hub_test_kept')).toBeUndefined()
  set({}, 6)
  expect(await exposed('hub_test_kept')).toBe('6')
})

test('a gauge with several labels exposes each of its values, and none that is not read any more', async () => {
  const labels = (state: string) => ({ kind: 'order', state })
  let series = [
    { labels: labels('open'), value: 2 },
    { labels: labels('sent'), value: 1 },
  ]
  const { job, lead } = openGauges({ hub_test_pairs: { description: 'Pairs', read: () => series } })
  const run = () => job?.run(new AbortController().signal)
  const lines = async () => (await metricsText()).split('\n').filter((line) => line.startsWith('hub_test_pairs{'))
  lead(true)
  await run()
  expect(await lines()).toHaveLength(2)
  series = [{ labels: labels('open'), value: 5 }]
  await run()
  const [only = '', ...more] = await lines()
  expect(only).toMatch(/^hub_test_pairs\{kind="order",state="open".*\} 5$/)
  expect(more).toEqual([])
  lead(false)
  expect(await lines()).toEqual([])
})
