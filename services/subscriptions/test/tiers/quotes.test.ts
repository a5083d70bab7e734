import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { DAY, newAgent, openHarness, refused, START } from '../harness.ts'

const on = opened(() => openHarness())

const later = (ms: number) => new Date(Date.parse(START) + ms)
const rich = async () => {
  on.clock.set(START)
  const agent = newAgent()
  await on.grant(agent.account_id, 100_000)
  return on.as(agent)
}
const stale = (reason: string) => ({ status: 409, code: 'quote_stale', reason })

test('an upgrade costs exactly what its quote says while it holds, although the credit shrinks every second, and a restart keeps it', async () => {
  const agent = await rich()
  await on.ask.subscribe({ tier: 1, months: 1 }, agent)
  on.clock.set(later(15 * DAY))
  const quoted = await on.ask.previewUpgrade({ tier: 2, months: 1 }, agent)
  expect(quoted).toMatchObject({ charge: 20_000, expires_at: later(15 * DAY + 300_000).toISOString() })
  on.clock.set(later(15 * DAY + 299_999))
  expect((await on.ask.previewUpgrade({ tier: 2, months: 1 }, agent)).charge).toBeGreaterThan(20_000)
  await on.restart()
  expect(await on.ask.subscribe({ tier: 2, months: 1, quote_id: quoted.quote_id }, agent)).toMatchObject({
    charge: 20_000,
    credit: 5_000,
    started_at: later(15 * DAY + 299_999).toISOString(),
    balance: 70_000,
  })
})

test('a quote is refused from expires_at on, after it was used, to another account, and for another tier or other months, and nothing is charged', async () => {
  const agent = await rich()
  const other = await rich()
  const quoted = await on.ask.previewUpgrade({ tier: 1, months: 1 }, agent)
  const { quote_id } = quoted
  const buy = { tier: 1, months: 1, quote_id } as const
  expect(await refused(on.ask.subscribe(buy, other))).toMatchObject(stale('unknown'))
  expect(await refused(on.ask.subscribe({ ...buy, tier: 2 }, agent))).toMatchObject(stale('changed'))
  expect(await refused(on.ask.subscribe({ ...buy, months: 2 }, agent))).toMatchObject(stale('changed'))
  on.clock.set(later(300_000))
  expect(await refused(on.ask.subscribe(buy, agent))).toMatchObject(stale('expired'))
  on.clock.set(later(299_999))
  const both = await Promise.allSettled([on.ask.subscribe(buy, agent), on.ask.subscribe(buy, agent)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await refused(on.ask.subscribe(buy, agent))).toMatchObject(stale('used'))
  expect(await on.ask.readBalance({}, agent)).toMatchObject({ balance: 90_000 })
  expect(await on.ask.readBalance({}, other)).toMatchObject({ balance: 100_000 })
  expect(await refused(on.ask.subscribe({ ...buy, quote_id: 'quo_1' }, agent))).toMatchObject({
    code: 'invalid_request',
  })
})

test('a quote is refused once its price or the subscription of its account has changed', async () => {
  const agent = await rich()
  const preview = () => on.ask.previewUpgrade({ tier: 1, months: 1 }, agent)
  const buy = (quote_id: string) => on.ask.subscribe({ tier: 1, months: 1, quote_id }, agent)
  const [first, dearer] = [await preview(), await preview()]
  await on.pool.query(sql.unsafe`UPDATE quote SET price = price + 1, charge = charge + 1 WHERE id = ${dearer.quote_id}`)
  expect(await refused(buy(dearer.quote_id))).toMatchObject(stale('changed'))
  await on.ask.subscribe({ tier: 1, months: 1 }, agent)
  expect(await refused(buy(first.quote_id))).toMatchObject(stale('changed'))
  const extending = await preview()
  const { quote_id } = extending
  expect(extending).toMatchObject({ action: 'extend', charge: 10_000 })
  const again = { ...agent, idempotencyKey: 'extend' }
  const bought = await on.ask.subscribe({ tier: 1, months: 1, quote_id }, again)
  expect(bought.ends_at).toBe(extending.ends_at)
  expect(await on.ask.subscribe({ tier: 1, months: 1, quote_id }, again)).toEqual(bought)
})

test('only the newest ten quotes of an account are kept', async () => {
  const agent = await rich()
  const quotes: string[] = []
  for (let n = 0; n < 12; n += 1) {
    on.clock.set(later(n * 1_000))
    quotes.push((await on.ask.previewUpgrade({ tier: 1, months: 1 }, agent)).quote_id)
  }
  const buy = (quote_id = '') => on.ask.subscribe({ tier: 1, months: 1, quote_id }, agent)
  expect(await refused(buy(quotes[1]))).toMatchObject(stale('unknown'))
  expect(await buy(quotes[2])).toMatchObject({ charge: 10_000 })
})
