import { event, job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { common, instant, integerText, okTrue, queryInt } from '../common.ts'
import { feedKey } from './feed-catalogue.ts'

/** Items of a feed that are kept at most: the newest. */
export const FEED_ITEMS_KEPT = 20_000
/** Days that an item is kept at most. */
export const FEED_DAYS_KEPT = 7

export const notSubscribed = refusal('not_subscribed', {
  status: 403,
  title: 'Not subscribed to this feed',
  meaning: 'The account is not subscribed to the feed.',
  fix: 'Subscribe to the feed first with POST /feeds/subscribe.',
})

const seq = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
/** CloudEvents 1.0 in structured JSON; `seq` and `at` are extension attributes. */
const item = z.object({
  specversion: z.literal('1.0'),
  id: z.string().max(100).meta({ description: 'Unique within `source`', example: 'crisis_alerts-17' }),
  source: z.string().max(200).meta({ description: 'The feed', example: '/feeds/data/crisis_alerts' }),
  type: z.string().max(120).meta({
    description: 'Kind of the item; of crisis alerts with what happened to the episode',
    example: 'cherry.feed.crisis_alerts.escalated',
  }),
  subject: z.string().max(200).optional().meta({ description: 'The pair, of feeds whose items are about one pair' }),
  time: instant.meta({ description: 'Same as `at`' }),
  datacontenttype: z.literal('application/json'),
  seq: seq.meta({ description: 'Rises by one from item to item of a feed' }),
  at: instant,
  data: z.looseObject({}).meta({ description: 'Has the schema that the catalogue names' }),
})

const key = z.string().min(1).max(64).meta({ description: 'Feed, from GET /feeds/catalog', example: 'crisis_alerts' })
export const unknownFeed = refusal('unknown_feed', {
  status: 404,
  title: 'Unknown feed',
  meaning: 'No feed has this key.',
  fix: 'Use a feed_key of GET /feeds/catalog.',
})
export const cursorAhead = refusal('cursor_ahead', {
  status: 409,
  title: 'Cursor beyond the newest item',
  meaning: 'The feed has no item with this seq yet: the cursor is of another feed, or the feed was restored.',
  fix: 'Read from `newest_seq`, or from 0 if you may have missed items.',
  details: z.object({ newest_seq: seq }),
})
const lastSeen = integerText(0, Number.MAX_SAFE_INTEGER).meta({ format: 'int64' })
const reading = z.strictObject({
  feed_key: key,
  since: z
    .union([z.literal('now'), lastSeen])
    .optional()
    .meta({
      description:
        'Last seq you have seen; `now` for items that are still to come. Default 0: from the oldest item kept',
    }),
  limit: queryInt(1, 500, 100),
})
const page = z.object({
  feed_key: feedKey,
  items: z.array(item).max(500),
  next_since: seq.meta({ description: 'Send it as since in the next call' }),
  newest_seq: seq.meta({ description: 'seq of the newest item; 0 before the first' }),
  missed: seq.meta({ description: 'Number of items after since that are no longer kept' }),
})

export const feedOperations = {
  listFeeds: operation({
    summary: 'List the feeds you may subscribe to, with the schema and a sample of their items',
    auth: 'open',
    http: 'GET /feeds/catalog',
    tool: 'feeds',
    cacheSec: 300,
    input: z.strictObject({}),
    success: {
      200: z.object({
        items: z
          .array(
            z.object({
              feed_key: feedKey,
              title: z.string().max(100),
              description: z.string().max(500),
              tier: z.int().min(0).max(2),
              schema: z.looseObject({}).meta({ description: "JSON Schema of an item's data" }),
              interval_seconds: z
                .int()
                .min(0)
                .max(86_400)
                .meta({ description: 'Seconds between items; 0: an item whenever something happens' }),
              sample: z.looseObject({}).meta({
                description: "A real item's data, with at most 3 entries of each list; see `sample_of`",
              }),
              sample_of: z.object({ seq, at: instant }).nullable().meta({
                description:
                  'Names the item of the sample: the newest one; in a paid feed the newest that is at least a day old. Null before the first such item: the sample then comes from a replayed market',
              }),
            }),
          )
          .max(20),
      }),
    },
  }),
  subscribeFeed: operation({
    summary: 'Subscribe your account to a feed',
    description: 'Costs no Cherry; some feeds require a tier. Subscribing again changes nothing.',
    auth: 'account',
    http: 'POST /feeds/subscribe',
    tool: 'feeds_subscribe',
    idempotent: true,
    input: z.strictObject({ feed_key: key }),
    success: {
      200: z.object({
        ok: okTrue,
        feed_key: feedKey,
        subscribed_at: instant,
        newest_seq: seq.meta({ description: 'Send it as since to read only items after this call' }),
        data: z.string().max(200).meta({ description: 'Path at which to read the feed' }),
        stream: z.string().max(200).meta({ description: 'Path at which to follow the feed' }),
      }),
    },
    refusals: [unknownFeed, common.tierRequired],
  }),
  unsubscribeFeed: operation({
    summary: 'Unsubscribe your account from a feed',
    auth: 'account',
    http: 'POST /feeds/unsubscribe',
    input: z.strictObject({ feed_key: key }),
    success: { 200: z.object({ ok: okTrue, feed_key: feedKey }) },
    refusals: [unknownFeed],
  }),
  readFeed: operation({
    summary: 'Read items of a feed that you are subscribed to, after a cursor',
    description:
      'Items are CloudEvents 1.0. With `Accept: application/cloudevents-batch+json` the answer is the array of items alone, and the header `Link` names the next page.',
    listAs: { type: 'application/cloudevents-batch+json', member: 'items' },
    auth: 'account',
    http: 'GET /feeds/data/{feed_key}',
    tool: 'feeds_read',
    input: reading,
    success: { 200: page },
    refusals: [unknownFeed, notSubscribed, cursorAhead, common.tierRequired],
  }),
  followFeed: operation({
    summary: 'Follow a feed that you are subscribed to, as Server-Sent Events',
    description:
      'Each event has the item, a CloudEvent in JSON, as data and the seq of the item as id. After a break an SSE client sends Last-Event-ID, and the stream continues without a gap as far as items are kept.',
    auth: 'account',
    http: 'GET /feeds/stream/{feed_key}',
    stream: { wokenBy: ['feedGrew'] },
    input: reading,
    success: { 200: page },
    refusals: [unknownFeed, notSubscribed, cursorAhead, common.tierRequired],
  }),
}

export const feedEvents = {
  feedGrew: event({
    summary: 'A feed has a new item',
    payload: z.object({ feed_key: feedKey, seq: z.int().min(1).max(Number.MAX_SAFE_INTEGER) }),
  }),
}

export const feedJobs = {
  forgetFeedItems: job({
    summary: `Delete feed items older than ${FEED_DAYS_KEPT} days or beyond the newest ${FEED_ITEMS_KEPT}`,
    everyMs: 3_600_000,
    max: 100_000,
    budgetSec: 60,
  }),
}
