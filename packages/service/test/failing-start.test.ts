import { contract, job } from '@svc/contract'
import { openPool, sql } from '@svc/postgres'
import { startService } from '@svc/service'
import { disposableDatabase, disposableNats, eventually } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

const ticker = contract('ticker', {
  title: 'Ticks',
  operations: {},
  jobs: { tick: job({ summary: 'Tick', everyMs: 10, max: 1, budgetSec: 60 }) },
})

test('a failed start closes its NATS connection, its pool and its duties', async () => {
  const [nats, database] = await Promise.all([disposableNats([ticker]), disposableDatabase('ticker')])
  const superuser = await openPool(database.superuserUrl, { size: 1 })
  const environment = {
    SVC_NATS_URL: nats.url,
    SVC_NATS_SEED: nats.seedOf('ticker') ?? '',
    SVC_POSTGRES_URL: database.url,
    SVC_LOG_LEVEL: 'silent',
  }
  let ticks = 0
  let closed = 0
  const tick = async () => {
    ticks += 1
    return { done: 0 }
  }
  const connections: { isClosed(): boolean }[] = []
  const parts = { handlers: {}, jobs: { tick }, close: async () => void (closed += 1) }
  for (const open of [
    () => Promise.reject(new Error('the port is taken')),
    () => eventually(() => expect(ticks).toBeGreaterThan(0)).then(() => Promise.reject(new Error('the port is taken'))),
  ]) {
    const starting = startService(ticker, [], environment, ({ bus }) => {
      connections.push(bus.connection)
      return { ...parts, open }
    })
    await expect(starting).rejects.toThrow('the port is taken')
  }
  const composing = startService(ticker, [], environment, ({ bus }) => {
    connections.push(bus.connection)
    throw new Error('a setting is wrong')
  })
  await expect(composing).rejects.toThrow('a setting is wrong')
  const sessions = sql.type(z.object({ n: z.number() }))`
    SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
  await eventually(async () => expect(await superuser.oneFirst(sessions)).toBe(0))
  expect(connections.map((one) => one.isClosed())).toEqual([true, true, true])
  expect(closed).toBe(2)
  const before = ticks
  await eventually(async () => expect(await superuser.oneFirst(sessions)).toBe(0))
  expect(ticks).toBe(before)
  await superuser.end()
  await Promise.all([nats.stop(), database.drop()])
})
