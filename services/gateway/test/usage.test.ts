import { openPool } from '@svc/postgres'
import { disposableDatabase, opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { usageStore } from '../src/store/usage.ts'

const database = opened(() => disposableDatabase('gateway'))
const pool = opened(() => openPool(database.url))

test('usage of many accounts adds up across concurrent gateways and returned leases', async () => {
  const store = usageStore(pool)
  const rows = Array.from({ length: 200 }, (_, index) => ({ key: String(index + 1), window: 20_778, count: 3 }))
  await Promise.all([store.add(rows), store.add([...rows].reverse()), store.add(rows.slice(50, 150))])
  await store.add([{ key: '7', window: 20_778, count: -2 }])
  expect(await store.used('7', 20_778)).toBe(4)
  expect(await store.used('100', 20_778)).toBe(9)
  expect(await store.used('7', 20_779)).toBe(0)
  await store.add([{ key: '7', window: 20_778, count: -50 }])
  expect(await store.used('7', 20_778)).toBe(0)
})

test('usage of days long past is deleted', async () => {
  const store = usageStore(pool)
  await store.add([{ key: '1', window: 100, count: 1 }])
  expect(await store.forgetBefore(20_778)).toBe(1)
  expect(await store.used('1', 20_778)).toBeGreaterThan(0)
})
