import { ok } from '@svc/contract'
import { feeds, type FeedKey } from '@svc/contracts/subscriptions/feed-catalogue'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { BoundHandler } from '@svc/service'
import { z } from 'zod'
import type { Context } from '#context.ts'
import { sampleOf } from '../rules/feed-sample.ts'
import { newestItem } from '../store/feeds.ts'

/** Age from which an item of a paid feed may be shown to everybody. */
const PAID_SAMPLE_AGE_MS = 86_400_000

const catalogue = Object.entries(feeds).map(([key, { title, description, tier, intervalSec, data, sample }]) => {
  const { $schema: _, ...schema } = z.toJSONSchema(data, {
    io: 'output',
    // Items may gain members, which must not break a reader with a strict validator.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return {
    feed_key: key as FeedKey,
    title,
    description,
    tier,
    schema,
    interval_seconds: intervalSec,
    recorded: sample,
  }
})

export const listFeeds: BoundHandler<Context, typeof subscriptions.operations.listFeeds> =
  ({ pool }) =>
  async (_input, call) => {
    const items = await Promise.all(
      catalogue.map(async ({ recorded, ...entry }) => {
        const ageMs = entry.tier === 0 ? 0 : PAID_SAMPLE_AGE_MS
        const item = await newestItem(pool, entry.feed_key, new Date(call.now.getTime() - ageMs))
        return {
          ...entry,
          sample: sampleOf(item?.data ?? recorded),
          sample_of: item === null ? null : { seq: item.seq, at: item.at },
        }
      }),
    )
    return ok(200, { items })
  }
