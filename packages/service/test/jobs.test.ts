import { getEventListeners } from 'node:events'
import { contract, job } from '@svc/contract'
import { startService } from '@svc/service'
import { disposableDatabase, disposableNats, eventually } from '@svc/testing'
import { expect, test } from 'vitest'

const TICKS = 200

test('hundreds of ticks of a job leave no abort listener behind', async () => {
  const ticker = contract('ticker', {
    title: 'Ticks',
    operations: {},
    jobs: { tick: job({ summary: 'Tick', everyMs: 1, max: 1, budgetSec: 60 }) },
  })
  const [nats, database] = await Promise.all([disposableNats([ticker]), disposableDatabase('ticker')])
  const listenedTo = new Set<EventTarget>()
  const add = EventTarget.prototype.addEventListener
  EventTarget.prototype.addEventListener = function (this: EventTarget, ...given: Parameters<typeof add>) {
    if (this instanceof AbortSignal) listenedTo.add(this)
    return add.apply(this, given)
  }
  let ticks = 0
  const tick = async () => {
    ticks += 1
    return { done: 0 }
  }
  const service = await startService(
    ticker,
    [],
    {
      SVC_NATS_URL: nats.url,
      SVC_NATS_SEED: nats.seedOf('ticker') ?? '',
      SVC_POSTGRES_URL: database.url,
      SVC_LOG_LEVEL: 'silent',
    },
    () => ({ handlers: {}, jobs: { tick } }),
  )
  try {
    await eventually(() => expect(ticks).toBeGreaterThan(TICKS))
    const left = [...listenedTo].reduce(
      (sum, signal) => sum + getEventListeners(signal as AbortSignal, 'abort').length,
      0,
    )
    expect(left).toBeLessThan(20)
  } finally {
    EventTarget.prototype.addEventListener = add
    await service.stop()
    await Promise.all([nats.stop(), database.drop()])
  }
})
