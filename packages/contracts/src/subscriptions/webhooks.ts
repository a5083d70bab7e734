import { event, job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, exchange, instant, okTrue, symbol } from '../common.ts'
import { feedKey } from './feed-catalogue.ts'
import { notSubscribed } from './feeds.ts'

/** Webhooks that an account may have. */
export const WEBHOOKS_MAX = 2
/** Challenges and tests that an account may send to one host in a minute. */
export const ASKS_PER_ACCOUNT = 3
/** Challenges and tests that accounts without a delivery to a host may send there in a minute, together. */
export const ASKS_PER_HOST = 10
/** Time within which a receiver must answer, seconds. */
export const ANSWER_WITHIN_SEC = 5
/** Hours in which a former secret signs along. */
export const OLD_SECRET_HOURS = 24

/** Whether a URL is one to which webhooks may be sent. What its host is, is judged when something is sent there. */
function isWebhookUrl(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '' && url.hash === ''
}

/** Names that only the inside of a network knows. */
const INSIDE = /^[^.[]+$|\.(local|internal|svc)$/

/** Whether the host of a URL may be one of the public internet. */
function isPublicName(text: string): boolean {
  return !INSIDE.test(URL.parse(text)?.hostname.replace(/\.$/, '') ?? '')
}

/** Whether a URL fits once it is written as URLs are: in ASCII, with percent signs. */
function fits(text: string): boolean {
  const url = URL.parse(text)
  return url === null || (url.href.length <= 500 && url.hostname.length <= 253)
}

const webhookId = z
  .string()
  .regex(/^whk_[a-z0-9]{20}$/)
  .max(24)
  .meta({ title: 'WebhookId', description: 'Webhook id', example: 'whk_0123456789abcdefghij' })
const url = z
  .string()
  .max(500)
  .refine(isWebhookUrl, 'use https on port 443, without user, password and fragment, like https://example.org/hook')
  .refine(fits, 'use a URL of at most 500 ASCII characters, with a host of at most 253')
  .refine(isPublicName, 'use a host of the public internet, like example.org')
  .meta({ description: 'https on port 443 of a public address', example: 'https://example.org/hook' })
const reason = z.string().max(40).meta({
  description:
    'Why: status_<code>, redirect, timeout, connection_failed, no_public_address, no_challenge or secret_unreadable',
  example: 'status_500',
})
const status = z.int().min(100).max(999).nullable().meta({ description: 'HTTP status; null if nothing answered' })
const secret = z.string().max(60).meta({
  description: 'Secret that signs, shown only here: whsec_ and 32 bytes in base64',
  example: '<WEBHOOK_SECRET>',
})

const filters = {
  feed_keys: z
    .array(feedKey)
    .min(1)
    .max(4)
    .refine((keys) => new Set(keys).size === keys.length, 'name each feed once')
    .meta({
      description: 'Feeds whose items are sent; your account is subscribed to each',
      example: ['crisis_alerts'],
    }),
  pairs: z
    .array(z.strictObject({ exchange, symbol }).meta({ title: 'PairName' }))
    .max(50)
    .default([])
    .meta({ description: 'Only items that name one of these pairs are sent; empty: all' }),
  severity_min: z
    .int()
    .min(1)
    .max(3)
    .nullable()
    .default(null)
    .meta({ description: 'Only alerts of this severity or above are sent; items without a severity always are' }),
}

/** A webhook without its secret. */
const webhook = z
  .object({
    webhook_id: webhookId,
    url: z.string().max(500),
    feed_keys: z.array(feedKey).max(4),
    pairs: z.array(z.object({ exchange, symbol }).meta({ title: 'NamedPair' })).max(50),
    severity_min: z.int().min(1).max(3).nullable(),
    state: z.enum(['unverified', 'on', 'off']).meta({ description: 'Items are sent while it is on' }),
    created_at: instant,
    last_delivered_at: instant.nullable(),
    failing_since: instant.nullable().meta({ description: 'First failure since the last delivery' }),
    last_failure: reason.nullable(),
    off_at: instant.nullable(),
    off_reason: z.enum(['failing', 'gone', 'backlog']).nullable().meta({
      description:
        'failing: nothing was accepted for a day; gone: the receiver answered 410; backlog: more than 5,000 items waited',
    }),
    old_secret_ends_at: instant.nullable().meta({ description: 'Until when the former secret signs along' }),
  })
  .meta({ title: 'Webhook' })
export type Webhook = z.output<typeof webhook>

export const unknownWebhook = refusal('unknown_webhook', {
  status: 404,
  title: 'Unknown webhook',
  meaning: 'The account has no webhook with this id.',
  fix: 'Look up the ids with GET /feeds/webhooks.',
})
export const webhookLimit = refusal('webhook_limit', {
  status: 409,
  title: 'Too many webhooks',
  meaning: `The account has ${WEBHOOKS_MAX} webhooks, as many as it may have.`,
  fix: 'Delete one with DELETE /feeds/webhooks/{webhook_id}.',
})
export const webhookNotVerified = refusal('webhook_not_verified', {
  status: 409,
  title: 'Webhook not on',
  meaning: 'The receiver has not answered a challenge yet, or the webhook was turned off.',
  fix: 'Call POST /feeds/webhooks/{webhook_id}/verify.',
})
export const webhookChallengeFailed = refusal('webhook_challenge_failed', {
  status: 422,
  title: 'Challenge not answered',
  meaning: `The receiver did not answer with status 2xx and {"challenge": "…"} within ${ANSWER_WITHIN_SEC} seconds.`,
  fix: 'Answer an event of type cherry.webhook.challenge with JSON whose member challenge is data.challenge, then call again.',
  details: z.object({ reason, answered_status: status }),
})
export const webhooksNotConfigured = refusal('webhooks_not_configured', {
  status: 409,
  title: 'Webhooks are not configured',
  meaning: 'This deployment sends no webhooks.',
  fix: 'Read GET /feeds/data/{feed_key}, or follow GET /feeds/stream/{feed_key}. Operators set SVC_WEBHOOK_KEY.',
})

const named = z.strictObject({ webhook_id: webhookId })

export const webhookOperations = {
  createWebhook: operation({
    summary: 'Create a webhook, to which items of feeds are sent once you verified it',
    description:
      'Signed by Standard Webhooks (headers webhook-id, webhook-timestamp, webhook-signature); the body is the item, a CloudEvent, and webhook-id is its id. ' +
      'Next call POST /feeds/webhooks/{webhook_id}/verify. An item may come more than once and out of order.',
    auth: 'account',
    limit: 'account',
    http: 'POST /feeds/webhooks',
    idempotent: true,
    secret: true,
    input: z
      .strictObject({ url, ...filters })
      .meta({ example: { url: 'https://example.org/hook', feed_keys: ['crisis_alerts'], severity_min: 2 } }),
    success: { 201: webhook.extend({ ok: okTrue, secret }) },
    refusals: [webhookLimit, webhooksNotConfigured, notSubscribed, common.tierRequired],
  }),
  listWebhooks: operation({
    summary: 'List the webhooks of your account, oldest first',
    auth: 'account',
    limit: 'account',
    http: 'GET /feeds/webhooks',
    input: z.strictObject({}),
    success: { 200: z.object({ items: z.array(webhook).max(WEBHOOKS_MAX) }) },
  }),
  verifyWebhook: operation({
    summary: 'Send a challenge to a webhook, which turns it on once its receiver answers',
    description: `Sends an event of type cherry.webhook.challenge. The receiver answers within ${ANSWER_WITHIN_SEC} s with JSON whose member challenge is data.challenge. Also turns a webhook on again; items from before are not sent.`,
    auth: 'account',
    limit: 'account',
    http: 'POST /feeds/webhooks/{webhook_id}/verify',
    reaches: 'outside',
    timeoutMs: 15_000,
    input: named,
    success: { 200: webhook.extend({ ok: okTrue }) },
    refusals: [unknownWebhook, webhookChallengeFailed, webhooksNotConfigured, common.rateLimited],
  }),
  testWebhook: operation({
    summary: 'Send a test event to a webhook that is on, and return what its receiver answered',
    description: 'The event has the type cherry.webhook.test. It is sent once and never again.',
    auth: 'account',
    limit: 'account',
    http: 'POST /feeds/webhooks/{webhook_id}/test',
    reaches: 'outside',
    timeoutMs: 15_000,
    input: named,
    success: {
      200: z.object({
        ok: okTrue,
        delivered: z.boolean(),
        message_id: z.string().max(40).meta({ description: 'Header webhook-id of the event' }),
        answered_status: status,
        reason: reason.nullable(),
      }),
    },
    refusals: [unknownWebhook, webhookNotVerified, webhooksNotConfigured, common.rateLimited],
  }),
  rotateWebhookSecret: operation({
    summary: 'Give a webhook a new secret',
    description: `For ${OLD_SECRET_HOURS} hours both secrets sign: webhook-signature has two signatures. A secret that was still being replaced ends at once.`,
    auth: 'account',
    limit: 'account',
    http: 'POST /feeds/webhooks/{webhook_id}/rotate',
    idempotent: true,
    secret: true,
    input: named,
    success: { 200: webhook.extend({ ok: okTrue, secret }) },
    refusals: [unknownWebhook, webhooksNotConfigured],
  }),
  deleteWebhook: operation({
    summary: 'Delete a webhook; what waited for it is not sent',
    auth: 'account',
    limit: 'account',
    http: 'DELETE /feeds/webhooks/{webhook_id}',
    input: named,
    success: { 200: z.object({ ok: okTrue, webhook_id: webhookId }) },
    refusals: [unknownWebhook],
  }),
}

export const webhookEvents = {
  webhookTurnedOff: event({
    summary: 'A webhook was turned off: its receiver accepts nothing or is gone, or too much waits',
    payload: z.object({
      account_id: accountId,
      webhook_id: webhookId,
      host: z.string().max(260),
      reason: z.enum(['failing', 'gone', 'backlog']),
      off_at: instant,
    }),
  }),
}

export const webhookJobs = {
  deliverWebhooks: job({
    summary: 'Send items of feeds to webhooks, and turn off those that accept nothing for a day',
    everyMs: 60_000,
    wokenBy: ['market-data.feedItemMade', 'verifyWebhook'],
    max: 1_000,
    budgetSec: 50,
  }),
}
