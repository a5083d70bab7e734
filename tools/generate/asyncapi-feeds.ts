import { feeds } from '@svc/contracts/subscriptions/feed-catalogue'
import { feedOperations } from '@svc/contracts/subscriptions/feeds'
import { jsonSchema, shareTitled } from '@svc/edge'
import { z } from 'zod'

type Json = Record<string, unknown>

/** CloudEvents envelope of an item, as a feed answers it. */
const envelope = () => {
  const [page] = Object.values(feedOperations.followFeed.success)
  const items = page instanceof z.ZodObject ? page.shape['items'] : null
  if (!(items instanceof z.ZodArray) || !(items.element instanceof z.ZodObject))
    throw new Error('the page of a feed has no list of items')
  return items.element
}

/**
 * Returns the AsyncAPI document of the feeds for their readers: one channel for each feed, as Server-Sent Events over
 * HTTP. The same items can be read page by page at /feeds/data/{feed_key}.
 */
export function asyncApiFeeds(publicUrl: string, version: string): Json {
  const all = Object.entries(feeds)
  const named = (print: (key: string, feed: (typeof all)[0][1]) => Json): Json =>
    Object.fromEntries(all.map(([key, feed]) => [key, print(key, feed)]))
  const { parts, schemas } = shareTitled({
    messages: named((key, { title, description, data }) => ({
      name: key,
      // A title at this place names the message, not a schema.
      summary: `${title}: ${description}`,
      contentType: 'application/cloudevents+json',
      payload: jsonSchema(envelope().extend({ data }), 'output'),
    })),
  })
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Feeds of the Cherry platform',
      version,
      description:
        'Server-Sent Events. The `id` of an event is the `seq` of its item, the `data` the item, a CloudEvent in JSON. After a break send the last id as Last-Event-ID: the stream continues behind it without a gap, as far as items are kept. Subscribe first with POST /feeds/subscribe; some feeds require a tier. A comment every 15 seconds shows that a quiet stream is alive.',
      contact: { name: 'Platform team', url: `${publicUrl}/discovery` },
      license: { name: 'Proprietary', url: `${publicUrl}/discovery` },
      tags: [{ name: 'feeds', description: 'Feeds of data' }],
    },
    servers: {
      api: {
        host: new URL(publicUrl).host,
        protocol: 'https',
        description: 'The API.',
        security: [{ $ref: '#/components/securitySchemes/svcKey' }, { $ref: '#/components/securitySchemes/session' }],
      },
    },
    defaultContentType: 'application/json',
    channels: named((key, { description }) => ({
      address: `/feeds/stream/${key}`,
      description,
      messages: { [key]: { $ref: `#/components/messages/${key}` } },
    })),
    operations: named((key, { title }) => ({
      action: 'receive',
      description: `${title}, as Server-Sent Events.`,
      channel: { $ref: `#/channels/${key}` },
      bindings: { http: { method: 'GET', bindingVersion: '0.3.0' } },
    })),
    components: {
      messages: parts.messages,
      schemas,
      securitySchemes: {
        svcKey: { type: 'httpApiKey', in: 'header', name: 'X-SVC-User-Key', description: 'API key of an agent.' },
        session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Session of an owner.' },
      },
    },
  }
}
