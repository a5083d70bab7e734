import { ok } from '@svc/contract'
import { feeds, type FeedKey } from '@svc/contracts/subscriptions/feed-catalogue'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { BoundHandler } from '@svc/service'
import { z } from 'zod'
import type { Context } from '#context.ts'

const items = Object.entries(feeds).map(([key, { title, description, tier, intervalSec, data, sample }]) => {
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
    sample: { ...sample },
  }
})

export const listFeeds: BoundHandler<Context, typeof subscriptions.operations.listFeeds> = () => async () =>
  ok(200, { items })
