import { sql } from '@svc/postgres'
import type { Faults } from '@svc/replay-exchange'
import { eventually, opened } from '@svc/testing'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import type { AnnouncedByVenue } from '#venues/rules/venue.ts'
import { readAnnouncements } from '#listings/jobs/read-announcements.ts'
import { noticesOf } from '#research/store/target-facts.ts'
import { account, MINUTE, startRig } from '../rig.ts'

const DAY = 24 * 60 * MINUTE
const rig = opened(() => startRig({ tokens: 80 }, ['binance', 'kucoin', 'mexc']))
afterEach(() => rig.exchange.faults.clear())

const stored = () =>
  rig.context.pool.any(
    sql.type(
      z.object({
        exchange: z.string(),
        title: z.string(),
        source: z.string(),
        bases: z.array(z.string()),
        late: z.number(),
      }),
    )`
      SELECT exchange, title, source, bases,
        extract(epoch FROM first_seen_at - published_at)::float8 AS late
      FROM venue_announcement ORDER BY exchange, published_at`,
  )
const raised = async (exchange: string) => {
  const rows = await rig.context.pool.any(
    sql.type(z.object({ symbol: z.string(), flag: z.string(), raised: z.boolean() }))`
      SELECT symbol, flag, raised FROM venue_flag_event JOIN token USING (instance_id)
      WHERE exchange = ${exchange} ORDER BY venue_flag_event.id`,
  )
  return rows.filter(({ flag }) => flag.startsWith('announcement.'))
}

it('announcements are read although quotes have just taken the allowance of the venue, and next in the middle of a minute', async () => {
  const { clock, feed } = rig.exchange
  const from = clock.now()
  const announced = feed
    .events(from, from + 300 * DAY, 10_000)
    .find(({ kind, venue }) => kind === 'announced' && venue === 'mexc')
  if (announced === undefined) throw new Error('nothing is announced in 300 days')
  clock.set(announced.at + MINUTE)
  const context = await rig.newContext({ MARKET_LOCAL_BUDGET_FACTOR: '1' })
  await rig.run('listMarkets', context)
  await rig.run('observeMarkets', context)
  const { nextAt } = await readAnnouncements(context)(AbortSignal.timeout(600_000))
  expect((await stored()).some(({ exchange }) => exchange === 'mexc')).toBe(true)
  expect(Number(nextAt) % MINUTE).toBe(MINUTE / 2)
})

it('announcements are stored once with source, first sight and lateness, and the row of each named pair names them', async () => {
  const from = rig.exchange.clock.now()
  const announced = rig.exchange.feed
    .events(from, from + 300 * DAY, 10_000)
    .find(({ kind, venue, symbol }) => kind === 'announced' && venue === 'binance' && symbol.endsWith('/USDT'))
  if (announced === undefined) throw new Error('nothing is announced in 300 days')
  rig.exchange.clock.set(announced.at - 2 * MINUTE)
  await rig.run('listMarkets')
  await rig.run('readAnnouncements')
  const before = await stored()
  expect(before.length).toBeGreaterThan(0)
  expect(new Set(before.map(({ source }) => source))).toEqual(
    new Set([
      'binance /bapi/composite/v1/public/cms/article/list/query',
      'kucoin /api/v3/announcements',
      'mexc /api/v3/announcements',
    ]),
  )
  const base = announced.symbol.split('/')[0] ?? ''
  const isOurs = (one: { readonly symbol: string; readonly flag: string }) =>
    one.symbol === announced.symbol && one.flag === 'announcement.delisting_announced'
  expect((await raised('binance')).some(isOurs)).toBe(false)

  rig.exchange.clock.set(announced.at + 90_000)
  await rig.run('readAnnouncements')
  await rig.run('readAnnouncements')
  const ours = (await stored()).filter(
    ({ exchange, bases, late }) => exchange === 'binance' && bases.includes(base) && late < 3_600,
  )
  expect(ours).toHaveLength(1)
  expect(ours[0]?.title).toMatch(/^Binance Will Delist .* on \d{4}-\d{2}-\d{2}$/)
  expect(ours[0]?.late).toBe(90)
  expect((await raised('binance')).filter(isOurs)).toHaveLength(1)

  // The market list does not end what it does not contain.
  await rig.minutes(6)
  await eventually(async () => {
    const { tokens } = await rig.client.readBoard({ limit: 2500 }, { caller: account() })
    const row = tokens.find((one) => one.exchange === 'binance' && one.symbol === announced.symbol)
    expect(row?.lifecycle).toBe('at_risk')
    expect(row?.flags.find(({ flag }) => flag.startsWith('announcement.delisting'))).toMatchObject({
      meaning: 'delisting_announced',
      source: 'binance /bapi/composite/v1/public/cms/article/list/query',
      published_at: new Date(announced.at).toISOString(),
      lateness_seconds: 90,
    })
  })
  expect((await raised('binance')).filter(isOurs)).toHaveLength(1)
  const known = rig.context.market.of('binance').instances.get(announced.symbol)
  const notices = await noticesOf(rig.context.pool, known?.instance_id ?? 0, 20)
  const texts = notices.filter(({ title }) => title !== null)
  // A tag that was announced weeks before has its own text.
  expect(texts[0]).toEqual(
    expect.objectContaining({
      kind: 'flag_raised',
      title: ours[0]?.title,
      url: expect.stringMatching(/^https:\/\//),
      source: 'binance /bapi/composite/v1/public/cms/article/list/query',
      published_at: new Date(announced.at).toISOString(),
    }),
  )
  expect(new Set(texts.map(({ title }) => title)).size).toBe(texts.length)
})

it('a website that refuses or fails changes no flag, closes no budget of the API, and is read again', async () => {
  const before = await raised('binance')
  const faults: readonly Faults[] = [
    { limited: { status: 429, retryAfterSeconds: 600 }, path: '/bapi' },
    { status: 503, path: '/bapi' },
    { truncated: true, path: '/bapi' },
    { missingFields: ['title', 'articles'], path: '/bapi' },
  ]
  for (const fault of faults) {
    rig.exchange.faults.set('binance', fault)
    rig.exchange.clock.advance(MINUTE)
    await rig.run('readAnnouncements')
    expect(await rig.context.venues.get('binance')?.budget.closedForMs()).toBe(0)
    expect(await raised('binance')).toEqual(before)
  }
  rig.exchange.faults.clear()
  rig.exchange.clock.advance(400 * DAY)
  await rig.run('listMarkets')
  await rig.run('readAnnouncements')
  // A year later none of them is in force.
  const now = await raised('binance')
  for (const { symbol, flag } of before) {
    const last = now.findLast((one) => one.symbol === symbol && one.flag === flag)
    const living = rig.context.market.of('binance').instances.has(symbol)
    if (living) expect(last?.raised, symbol).toBe(false)
  }
})

it('a page that is read and holds nothing for three days is told once, and again when it is known again', async () => {
  const told: string[] = []
  const log = Object.assign(Object.create(rig.context.log) as typeof rig.context.log, {
    warn: (_: unknown, text = '') => void told.push(text),
  })
  const context = { ...rig.context, log }
  const wording = async () => {
    const { exchanges } = await rig.client.readCoverage({})
    return exchanges.find(({ exchange }) => exchange === 'kucoin')?.announcements?.wording
  }
  const kucoin = rig.context.led.get('kucoin')
  if (kucoin === undefined) throw new Error('the venue is not read')
  const holding = (announcements: readonly AnnouncedByVenue[]) => ({
    ...context,
    led: new Map([['kucoin', { ...kucoin, adapter: { ...kucoin.adapter, announcements: async () => announcements } }]]),
  })
  const one = {
    id: 'one',
    title: 'KuCoin delistings of the week',
    url: null,
    source: 'kucoin /x',
    publishedAt: null,
    notice: null,
  }
  await rig.run('readAnnouncements', holding([one]))
  expect(told).toContain('titles of no known form')
  told.length = 0
  for (let day = 0; day < 5; day += 1) {
    rig.exchange.clock.advance(DAY)
    await rig.run('readAnnouncements', holding([]))
  }
  expect(told).toEqual(['wording of announcements'])
  expect(await wording()).toBe('nothing_read')
  await rig.run('readAnnouncements', holding([one]))
  expect(await wording()).not.toBe('nothing_read')
  expect(told).not.toContain('titles of no known form')
})
