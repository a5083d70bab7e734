import type { Caller } from '@svc/contract'
import { feeds, type FeedKey } from '@svc/contracts/subscriptions/feed-catalogue'
import { eventually, opened } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { DAY, newAgent, openHarness, refused } from '../harness.ts'

const h = opened(() => openHarness())

const tiered = (tier: Caller['tier']): Caller => ({ ...newAgent(), tier })
const read = (who: Caller, feed_key: FeedKey, since: number | 'now' = 0, limit = 100) =>
  h.ask.readFeed({ feed_key, since, limit }, h.as(who))
const sample = (key: FeedKey): Readonly<Record<string, unknown>> => feeds[key].sample

describe('the catalogue', () => {
  test('lists every feed, and each sample fits the schema it is listed with', async () => {
    const { items } = await h.ask.listFeeds({})
    expect(items.map(({ feed_key }) => feed_key)).toEqual(Object.keys(feeds))
    for (const item of items) expect(feeds[item.feed_key].data.parse(item.sample)).toEqual(item.sample)
  })

  test('lists schemas that further members of an item do not break', async () => {
    const { items } = await h.ask.listFeeds({})
    for (const { schema } of items) expect(JSON.stringify(schema)).not.toContain('"additionalProperties":false')
  })
})

describe('the sample of a feed', () => {
  const item = (feed_key: FeedKey, more: object = {}) => ({
    feed_key,
    at: h.clock.now().toISOString(),
    data: { ...sample(feed_key), ...more },
  })
  const shown = async (feed_key: FeedKey) => (await h.ask.listFeeds({})).items.find((one) => one.feed_key === feed_key)

  test('is a recorded item before the first one, and then the newest item with content', async () => {
    expect(await shown('arbitrage_2cex')).toMatchObject({ sample: sample('arbitrage_2cex'), sample_of: null })
    await h.tellFeed([item('arbitrage_2cex', { computed_at: '2026-11-21T09:00:01.000Z' })])
    await h.tellFeed([item('arbitrage_2cex', { items: [] })])
    await eventually(async () =>
      expect(await shown('arbitrage_2cex')).toMatchObject({
        sample: { ...sample('arbitrage_2cex'), computed_at: '2026-11-21T09:00:01.000Z' },
        sample_of: { at: h.clock.now().toISOString() },
      }),
    )
  })

  test('of a paid feed is an item that is at least a day old', async () => {
    await h.tellFeed([item('arbitrage_3cex')])
    const reader = tiered(2)
    await h.ask.subscribeFeed({ feed_key: 'arbitrage_3cex' }, h.as(reader))
    await eventually(async () => (await read(reader, 'arbitrage_3cex')).items.length === 1)
    expect(await shown('arbitrage_3cex')).toMatchObject({ sample_of: null })
    h.clock.advance(DAY)
    expect(await shown('arbitrage_3cex')).toMatchObject({ sample_of: { seq: 1 } })
  })
})

describe('subscribing', () => {
  test.each(['crisis_alerts', 'arbitrage_2cex'] as const)(
    'to %s needs no paid tier: a free account subscribes, reads and follows',
    async (feed_key) => {
      const who = tiered(0)
      await h.ask.subscribeFeed({ feed_key }, h.as(who))
      expect(await read(who, feed_key)).toMatchObject({ feed_key })
      expect(await h.ask.followFeed({ feed_key }, h.as(who))).toMatchObject({ feed_key })
      const { items } = await h.ask.listFeeds({})
      expect(items.find((one) => one.feed_key === feed_key)?.tier).toBe(0)
    },
  )

  test('costs nothing, lasts, and changes nothing when repeated', async () => {
    const who = newAgent()
    const first = await h.ask.subscribeFeed({ feed_key: 'crisis_alerts' }, h.as(who))
    expect(first).toMatchObject({ ok: true, data: '/feeds/data/crisis_alerts', stream: '/feeds/stream/crisis_alerts' })
    h.clock.advance(60_000)
    const again = await h.ask.subscribeFeed({ feed_key: 'crisis_alerts' }, h.as(who, 'again-1'))
    expect(again.subscribed_at).toBe(first.subscribed_at)
  })

  test('to an unknown feed is refused by name', async () => {
    expect(await refused(h.ask.subscribeFeed({ feed_key: 'nonsense' }, h.as(newAgent())))).toMatchObject({
      status: 404,
      code: 'unknown_feed',
    })
    for (const operation of ['readFeed', 'followFeed', 'unsubscribeFeed'] as const)
      expect(await refused(h.ask[operation]({ feed_key: 'nonsense' }, h.as(newAgent())))).toMatchObject({
        code: 'unknown_feed',
      })
  })

  test.each([
    ['priority_pool', 0],
    ['arbitrage_3cex', 1],
  ] as const)('to %s on tier %i names the tier it needs, and reading after a lapse too', async (feed_key, tier) => {
    const refusal = { status: 403, code: 'tier_required', required_tier: feeds[feed_key].tier }
    expect(await refused(h.ask.subscribeFeed({ feed_key }, h.as(tiered(tier))))).toMatchObject(refusal)
    const lapsed = tiered(2)
    await h.ask.subscribeFeed({ feed_key }, h.as(lapsed))
    await read(lapsed, feed_key)
    expect(await refused(read({ ...lapsed, tier }, feed_key))).toMatchObject(refusal)
    expect(await refused(h.ask.followFeed({ feed_key }, h.as({ ...lapsed, tier })))).toMatchObject(refusal)
  })

  test('is required to read and to follow a feed, and ends with unsubscribing', async () => {
    const who = newAgent()
    const refusal = { status: 403, code: 'not_subscribed' }
    expect(await refused(read(who, 'crisis_alerts'))).toMatchObject(refusal)
    expect(await refused(h.ask.followFeed({ feed_key: 'crisis_alerts' }, h.as(who)))).toMatchObject(refusal)
    await h.ask.subscribeFeed({ feed_key: 'crisis_alerts' }, h.as(who))
    expect(await h.ask.followFeed({ feed_key: 'crisis_alerts' }, h.as(who))).toEqual(await read(who, 'crisis_alerts'))
    await h.ask.unsubscribeFeed({ feed_key: 'crisis_alerts' }, h.as(who))
    expect(await refused(read(who, 'crisis_alerts'))).toMatchObject(refusal)
  })
})

describe('items', () => {
  test('are appended once each, numbered without a gap, in the order of their events', async () => {
    const who = tiered(1)
    const { newest_seq } = await h.ask.subscribeFeed({ feed_key: 'priority_pool' }, h.as(who))
    await h.tellFeed(
      Array.from({ length: 60 }, (_, index) => ({
        feed_key: 'priority_pool' as const,
        at: h.clock.now().toISOString(),
        data: { ...sample('priority_pool'), targets: index },
      })),
    )
    const items = await eventually(async () => {
      const page = await read(who, 'priority_pool', newest_seq, 500)
      expect(page.items.length).toBeGreaterThanOrEqual(60)
      return page.items
    })
    expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: 60 }, (_, index) => newest_seq + 1 + index))
    expect(items.map(({ data }) => data['targets'])).toEqual(Array.from({ length: 60 }, (_, index) => index))
    await h.heard('feedGrew', { feed_key: 'priority_pool', seq: newest_seq + 60 })
  })

  test('are paged by a cursor that never repeats or skips', async () => {
    const who = tiered(1)
    await h.ask.subscribeFeed({ feed_key: 'priority_pool' }, h.as(who))
    const seen: number[] = []
    let since = 0
    for (;;) {
      const page = await read(who, 'priority_pool', since, 7)
      if (page.items.length === 0) break
      seen.push(...page.items.map(({ seq }) => seq))
      since = page.next_since
    }
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => index + 1))
    const newest = { items: [], next_since: seen.length, newest_seq: seen.length, missed: 0 }
    expect(await read(who, 'priority_pool', seen.length)).toMatchObject(newest)
    expect(await read(who, 'priority_pool', 'now')).toMatchObject(newest)
  })

  test('behind a cursor of another feed, or of one that was restored, are refused with the cursor to go on from', async () => {
    const who = tiered(1)
    const { newest_seq } = await h.ask.subscribeFeed({ feed_key: 'priority_pool' }, h.as(who))
    const ahead = { feed_key: 'priority_pool', since: newest_seq + 1 }
    for (const ask of [h.ask.readFeed, h.ask.followFeed])
      expect(await refused(ask(ahead, h.as(who)))).toMatchObject({ status: 409, code: 'cursor_ahead', newest_seq })
  })

  test('that are too old are deleted, and a reader sees how many it missed', async () => {
    const who = newAgent()
    await h.ask.subscribeFeed({ feed_key: 'crisis_alerts' }, h.as(who))
    const item = () => ({
      feed_key: 'crisis_alerts' as const,
      at: h.clock.now().toISOString(),
      data: { ...sample('crisis_alerts') },
    })
    await h.tellFeed([item(), item(), item()])
    await eventually(async () => (await read(who, 'crisis_alerts')).items.length === 3)
    h.clock.advance(8 * DAY)
    await h.tellFeed([item()])
    // The job is due by the same clock.
    await eventually(async () =>
      expect(await read(who, 'crisis_alerts', 1)).toMatchObject({ items: [{ seq: 4 }], missed: 2, newest_seq: 4 }),
    )
  })

  test('are CloudEvents 1.0: each names its feed, its kind, its pair and its time, and no two have one id', async () => {
    const who = newAgent()
    const { newest_seq } = await h.ask.subscribeFeed({ feed_key: 'crisis_alerts' }, h.as(who))
    const at = h.clock.now().toISOString()
    const changes = ['opened', 'escalated', 'closed'] as const
    await h.tellFeed(
      changes.map((change) => ({
        feed_key: 'crisis_alerts' as const,
        at,
        data: { ...sample('crisis_alerts'), change },
      })),
    )
    const items = await eventually(async () => {
      const page = await read(who, 'crisis_alerts', newest_seq)
      expect(page.items).toHaveLength(3)
      return page.items
    })
    expect(items).toEqual(
      changes.map((change, index) => ({
        specversion: '1.0',
        id: `crisis_alerts-${newest_seq + 1 + index}`,
        source: '/feeds/data/crisis_alerts',
        type: `cherry.feed.crisis_alerts.${change}`,
        subject: sample('crisis_alerts')['token_id'],
        time: at,
        datacontenttype: 'application/json',
        seq: newest_seq + 1 + index,
        at,
        data: { ...sample('crisis_alerts'), change },
      })),
    )
    // Names of attributes are lower-case letters and digits, as the specification requires.
    for (const name of items.flatMap((item) => Object.keys(item))) expect(name).toMatch(/^[a-z0-9]{1,20}$/)
  })
})
