import { randomBytes } from 'node:crypto'
import { sql } from '@svc/postgres'
import type { RemoteRefusal } from '@svc/service'
import { eventually, opened } from '@svc/testing'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test, vi } from 'vitest'
import { feeds, type FeedKey } from '@svc/contracts/subscriptions/feed-catalogue'
import { z } from 'zod'
import { newAgent, newOwner, openHarness, refused } from '../harness.ts'
import { startReceiver, type Received } from './receiver.ts'

const row = z.object({ row: z.unknown() })
const KEY = randomBytes(32).toString('base64url')
const receiver = opened(() => startReceiver())
const h = opened(() => openHarness({ key: KEY, policy: receiver.policy }))

type Who = ReturnType<typeof newAgent>
const subscribed = async (who: Who = newAgent(), ...keys: FeedKey[]) => {
  for (const feed_key of keys.length === 0 ? (['crisis_alerts'] as const) : keys)
    await h.ask.subscribeFeed({ feed_key }, h.as(who))
  return who
}
const create = (who: Who, more: object = {}, key?: string) =>
  h.ask.createWebhook({ url: 'https://hook.test/ok', feed_keys: ['crisis_alerts'], ...more }, h.as(who, key))
const named = (webhook_id: string) => ({ webhook_id })
const NOBODYS = named('whk_00000000000000000000')

/** Returns the event of a message that the library of Standard Webhooks verifies; its clock is that of the product here. */
function verified(secret: string, { body, headers }: Received): unknown {
  vi.useFakeTimers({ now: h.clock.now(), toFake: ['Date'] })
  try {
    return new Webhook(secret).verify(body, headers)
  } finally {
    vi.useRealTimers()
  }
}

describe('a webhook', () => {
  test('is made with a secret that is shown once, and is unverified', async () => {
    const who = await subscribed()
    const made = await create(who, { pairs: [{ exchange: 'binance', symbol: 'BTC/USDT' }], severity_min: 2 }, 'make-1')
    expect(made).toMatchObject({ ok: true, state: 'unverified', url: 'https://hook.test/ok', severity_min: 2 })
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { ok: _, secret, ...shown } = made
    expect(await h.ask.listWebhooks({}, h.as(who))).toEqual({ items: [shown] })
    // A repetition with the key makes nothing and shows nothing.
    expect(
      await refused(create(who, { pairs: [{ exchange: 'binance', symbol: 'BTC/USDT' }], severity_min: 2 }, 'make-1')),
    ).toMatchObject({ code: 'secret_already_shown' })
    expect((await h.ask.listWebhooks({}, h.as(who))).items).toHaveLength(1)
    const stored = await h.pool.any(
      sql.type(row)`SELECT to_jsonb(webhook) AS row FROM webhook WHERE id = ${made.webhook_id}`,
    )
    expect(JSON.stringify(stored)).not.toContain(secret.slice('whsec_'.length))
  })

  test('is one of two that an account has, also when several are made at once', async () => {
    const who = await subscribed(newOwner())
    const made = await Promise.allSettled([1, 2, 3, 4].map(() => create(who)))
    const failed = made.filter((one) => one.status === 'rejected')
    expect(failed.map(({ reason }) => (reason as RemoteRefusal).body.code)).toEqual(['webhook_limit', 'webhook_limit'])
    const [first] = (await h.ask.listWebhooks({}, h.as(who))).items
    await h.ask.deleteWebhook(named(first?.webhook_id ?? ''), h.as(who))
    await create(who)
    expect((await h.ask.listWebhooks({}, h.as(who))).items).toHaveLength(2)
  })

  test.each([
    'http://hook.test/ok',
    'https://hook.test:8443/ok',
    'https://user:pass@hook.test/',
    'https://hook.test/#part',
    'ftp://hook.test/',
    'hook.test',
    'https://localhost/',
    'https://ledger/ok',
    'https://nats.market.svc/',
    'https://nats.market.svc.cluster.local./',
    'https://metadata.google.internal/',
    // Short as it is sent, long as it is written.
    `https://hook.test/${'ü'.repeat(200)}`,
    `https://${'a.'.repeat(130)}test/`,
  ])('is not made for %s', async (url) => {
    const who = await subscribed()
    expect(await refused(create(who, { url }))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ pointer: '/url' }],
    })
  })

  test('is made only for feeds that the account may read and is subscribed to', async () => {
    const who = await subscribed({ ...newAgent(), tier: 1 }, 'priority_pool')
    expect(await refused(create(who))).toMatchObject({ status: 403, code: 'not_subscribed' })
    expect(await refused(create({ ...who, tier: 0 }, { feed_keys: ['priority_pool'] }))).toMatchObject({
      code: 'tier_required',
      required_tier: 1,
    })
    await create(who, { feed_keys: ['priority_pool'] })
  })

  test('of another account is unknown to every operation', async () => {
    const { webhook_id } = await create(await subscribed())
    const stranger = h.as(await subscribed())
    for (const one of [named(webhook_id), NOBODYS])
      for (const ask of [h.ask.verifyWebhook, h.ask.testWebhook, h.ask.rotateWebhookSecret, h.ask.deleteWebhook])
        expect(await refused(ask(one, stranger))).toMatchObject({ status: 404, code: 'unknown_webhook' })
    expect((await h.ask.listWebhooks({}, stranger)).items).toEqual([])
  })

  test('is not made while the deployment has no key for secrets, and nothing is sent', async () => {
    const who = await subscribed()
    const { webhook_id } = await create(who)
    await h.restart({ SVC_WEBHOOK_KEY: undefined })
    try {
      const refusal = { status: 409, code: 'webhooks_not_configured' }
      expect(await refused(create(who))).toMatchObject(refusal)
      expect(await refused(h.ask.rotateWebhookSecret(named(webhook_id), h.as(who)))).toMatchObject(refusal)
      expect(await refused(h.ask.verifyWebhook(named(webhook_id), h.as(who)))).toMatchObject(refusal)
    } finally {
      await h.restart()
    }
  })

  test('that is on refuses a test while the deployment has no key', async () => {
    const who = await subscribed()
    const { webhook_id } = await create(who)
    await h.ask.verifyWebhook(named(webhook_id), h.as(who))
    await h.restart({ SVC_WEBHOOK_KEY: undefined })
    try {
      expect(await refused(h.ask.testWebhook(named(webhook_id), h.as(who)))).toMatchObject({
        code: 'webhooks_not_configured',
      })
    } finally {
      await h.restart()
    }
  })
})

describe('verifying', () => {
  test('sends a signed challenge and turns the webhook on when its receiver answers it', async () => {
    const who = await subscribed()
    const { webhook_id, secret } = await create(who, { url: 'https://hook.test/verified' })
    expect(await refused(h.ask.testWebhook(named(webhook_id), h.as(who)))).toMatchObject({
      code: 'webhook_not_verified',
    })
    expect(await h.ask.verifyWebhook(named(webhook_id), h.as(who))).toMatchObject({ ok: true, state: 'on' })
    const [challenge] = receiver.received.filter(({ path }) => path === '/verified')
    expect(challenge?.host).toBe('hook.test')
    if (challenge === undefined) throw new Error('no challenge came')
    expect(verified(secret, challenge)).toMatchObject({
      type: 'cherry.webhook.challenge',
      id: challenge.headers['webhook-id'],
    })
  })

  const failing: readonly (readonly [string, object])[] = [
    ['/echo', { reason: 'no_challenge', answered_status: 200 }],
    ['/no-json', { reason: 'no_challenge', answered_status: 200 }],
    ['/error', { reason: 'status_500', answered_status: 500 }],
    ['/redirect', { reason: 'redirect', answered_status: 302 }],
    ['/reset', { reason: 'connection_failed', answered_status: null }],
  ]
  test.each(failing)('fails for %s and leaves the webhook unverified', async (path, expected) => {
    receiver.challenged.set('/echo', (response) => response.end(receiver.received.at(-1)?.body))
    receiver.challenged.set('/no-json', (response) => response.end('challenge'))
    receiver.challenged.set('/error', (response) => response.writeHead(500).end())
    receiver.challenged.set('/redirect', (response) =>
      response.writeHead(302, { location: 'https://hook.test/verified' }).end(),
    )
    receiver.challenged.set('/reset', (response) => response.destroy())
    h.clock.advance(60_000)
    const who = await subscribed()
    const { webhook_id } = await create(who, { url: `https://hook.test${path}` })
    expect(await refused(h.ask.verifyWebhook(named(webhook_id), h.as(who)))).toMatchObject({
      status: 422,
      code: 'webhook_challenge_failed',
      ...expected,
    })
    expect((await h.ask.listWebhooks({}, h.as(who))).items).toMatchObject([{ state: 'unverified' }])
    expect(receiver.received.filter((one) => one.path === path)).toHaveLength(1)
  })

  test.each([
    ['inside.test', ['10.0.0.1'], 'no_public_address'],
    ['mixed.test', ['127.0.0.1', '169.254.169.254'], 'no_public_address'],
    ['nowhere.test', [], 'no_public_address'],
    // The certificate of the receiver is for other names.
    ['stranger.test', ['127.0.0.1'], 'connection_failed'],
  ])('reaches nothing at %s', async (host, addresses, reason) => {
    receiver.names.set(host, addresses)
    const who = await subscribed()
    const { webhook_id } = await create(who, { url: `https://${host}/inside` })
    expect(await refused(h.ask.verifyWebhook(named(webhook_id), h.as(who)))).toMatchObject({
      reason,
      answered_status: null,
    })
    expect(receiver.received.filter(({ path }) => path === '/inside')).toEqual([])
  })

  test('and testing are bounded for each host over all accounts, however the host is written', async () => {
    h.clock.advance(60_000)
    const urls = ['https://other.test/a', 'https://OTHER.test./b']
    let sent = 0
    for (let account = 0; account < 5; account += 1) {
      const who = await subscribed()
      for (const url of urls) {
        const { webhook_id } = await create(who, { url })
        await h.ask.verifyWebhook(named(webhook_id), h.as(who)).catch(() => {})
        sent += 1
      }
    }
    expect(sent).toBe(10)
    const who = await subscribed()
    const { webhook_id } = await create(who, { url: urls[0] })
    const limited = { status: 429, code: 'rate_limited' }
    expect(await refused(h.ask.verifyWebhook(named(webhook_id), h.as(who)))).toMatchObject(limited)
    h.clock.advance(60_000)
    await h.ask.verifyWebhook(named(webhook_id), h.as(who))
    await h.ask.testWebhook(named(webhook_id), h.as(who))
    await h.ask.testWebhook(named(webhook_id), h.as(who))
    expect(await refused(h.ask.testWebhook(named(webhook_id), h.as(who)))).toMatchObject(limited)
    // What the account was refused took nothing from the others, whose seven follow.
    for (let account = 0; account < 7; account += 1) {
      const other = await subscribed()
      const made = await create(other, { url: urls[0] })
      await h.ask.verifyWebhook(named(made.webhook_id), h.as(other))
    }
    const last = await subscribed()
    const made = await create(last, { url: urls[0] })
    expect(await refused(h.ask.verifyWebhook(named(made.webhook_id), h.as(last)))).toMatchObject(limited)
    // A delivery proves the host: its account asks whatever strangers do.
    await h.pool.query(sql.unsafe`UPDATE webhook SET last_delivered_at = created_at WHERE id = ${made.webhook_id}`)
    await h.ask.verifyWebhook(named(made.webhook_id), h.as(last))
  })
})

describe('a webhook that is on', () => {
  test('is sent a test, whose answer is returned', async () => {
    h.clock.advance(60_000)
    const who = await subscribed()
    const { webhook_id, secret } = await create(who, { url: 'https://hook.test/tested' })
    await h.ask.verifyWebhook(named(webhook_id), h.as(who))
    const tested = await h.ask.testWebhook(named(webhook_id), h.as(who))
    expect(tested).toMatchObject({ ok: true, delivered: true, answered_status: 204, reason: null })
    const last = receiver.received.findLast(({ path }) => path === '/tested')
    if (last === undefined) throw new Error('no test came')
    expect(verified(secret, last)).toMatchObject({ type: 'cherry.webhook.test', id: tested.message_id })
    receiver.behave.set('/tested', (response) => response.writeHead(503).end())
    expect(await h.ask.testWebhook(named(webhook_id), h.as(who))).toMatchObject({
      delivered: false,
      answered_status: 503,
      reason: 'status_503',
    })
  })

  test('is sent the items of its feeds as they come, signed by the former secret too for a day after a rotation', async () => {
    h.clock.advance(60_000)
    const who = await subscribed()
    const { webhook_id, secret: first } = await create(who, { url: 'https://hook.test/rotated' })
    await h.ask.verifyWebhook(named(webhook_id), h.as(who))
    const next = async (count: number) => {
      await h.tellFeed([
        { feed_key: 'crisis_alerts', at: h.clock.now().toISOString(), data: { ...feeds.crisis_alerts.sample } },
      ])
      return eventually(() => {
        const message = receiver.items('/rotated')[count - 1]
        if (message === undefined) throw new Error(`only ${count - 1} items came`)
        return message
      })
    }
    const message = await next(1)
    expect(verified(first, message)).toMatchObject({
      type: 'cherry.feed.crisis_alerts.opened',
      id: message.headers['webhook-id'],
    })
    expect(message.headers['content-type']).toMatch(/^application\/cloudevents\+json/)

    const { secret: second, old_secret_ends_at } = await h.ask.rotateWebhookSecret(
      named(webhook_id),
      h.as(who, 'rotate-1'),
    )
    expect(old_secret_ends_at).toBe(new Date(h.clock.now().getTime() + 86_400_000).toISOString())
    expect(await refused(h.ask.rotateWebhookSecret(named(webhook_id), h.as(who, 'rotate-1')))).toMatchObject({
      code: 'secret_already_shown',
    })
    const both = await next(2)
    expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    for (const secret of [first, second]) verified(secret, both)

    h.clock.advance(86_400_000)
    const one = await next(3)
    verified(second, one)
    expect(() => verified(first, one)).toThrow('No matching signature')
    expect((await h.ask.listWebhooks({}, h.as(who))).items).toMatchObject([
      { old_secret_ends_at: null, failing_since: null },
    ])

    expect(await h.ask.deleteWebhook(named(webhook_id), h.as(who))).toEqual({ ok: true, webhook_id })
    expect((await h.ask.listWebhooks({}, h.as(who))).items).toEqual([])
  })
})
