import { fork } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { openPool, sql } from '@svc/postgres'
import { disposableDatabase, eventually, FakeClock, inherited, opened } from '@svc/testing'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { BACKLOG_MAX, deliverWebhooks } from '#webhooks/jobs/deliver-webhooks.ts'
import { openSecretBox } from '#webhooks/secret-box.ts'
import { dueDeliveries } from '#webhooks/store/deliveries.ts'
import { webhookGauges } from '#webhooks/telemetry.ts'
import { DAY, START } from '../harness.ts'
import { policyTo, startReceiver } from './receiver.ts'
import { contextOf, KEY, webhookRig } from './rig.ts'

const database = opened(() => disposableDatabase('subscriptions'))
const pool = opened(() => openPool(database.url, { size: 8 }))
const receiver = opened(() => startReceiver())
const clock = new FakeClock(START)
const rig = opened(async () => ({ ...webhookRig(pool, clock, receiver.policy), close: () => {} }))

let path = ''
const url = (host = 'hook.test') => `https://${host}${path}`
const ids = () => receiver.items(path).map(({ headers }) => headers['webhook-id'])
beforeEach(async () => {
  await pool.query(sql.unsafe`DELETE FROM webhook`)
  clock.advance(60_000)
  path = `/${randomBytes(6).toString('hex')}`
})

const eventRow = z.object({ payload: z.looseObject({ webhook_id: z.string() }) })
const secretRow = z.object({ secret: z.string(), xmin: z.string() })
/** What the other services are told of a webhook that was turned off. */
const told = async (webhookId: string) => {
  const rows = await pool.any(
    sql.type(eventRow)`SELECT payload FROM outbox WHERE payload ->> 'webhook_id' = ${webhookId}`,
  )
  return rows.map(({ payload }) => payload)
}
/** Runs the job when it says that it is due, for as long as it has work within the time. */
const deliverFor = async (ms: number) => {
  const end = clock.now().getTime() + ms
  for (;;) {
    const { nextAt } = await rig.deliver()
    if (nextAt === undefined || nextAt.getTime() > end) break
    clock.set(new Date(Math.max(nextAt.getTime(), clock.now().getTime() + 1)))
  }
  clock.set(new Date(end))
}

describe('an item', () => {
  test('is sent once to each webhook that is on, from the moment it was turned on', async () => {
    await rig.append('crisis_alerts')
    const { secret, accountId } = await rig.turnedOn(url())
    await rig.deliver()
    expect(ids()).toEqual([])
    const seq = await rig.append('crisis_alerts')
    await rig.deliver()
    await rig.deliver()
    expect(ids()).toEqual([`crisis_alerts-${seq}`])
    const [message] = receiver.items(path)
    if (message === undefined) throw new Error('no item came')
    vi.useFakeTimers({ now: clock.now(), toFake: ['Date'] })
    try {
      expect(new Webhook(secret).verify(message.body, message.headers)).toMatchObject({ specversion: '1.0', seq })
    } finally {
      vi.useRealTimers()
    }
    expect(await rig.shown(accountId)).toMatchObject({
      last_delivered_at: clock.now().toISOString(),
      last_failure: null,
    })
  })

  test('is sent only to webhooks whose filters of feed, pair and severity pass it', async () => {
    const pairs = [{ exchange: 'binance', symbol: 'ETH/USDT' }]
    const base = path
    for (const [name, filters] of Object.entries({
      all: {},
      pair: { pairs },
      severe: { severity_min: 3 },
      both: { pairs, severity_min: 2 },
      other: { feed_keys: ['arbitrage_2cex'], pairs, severity_min: 3 },
    }))
      await rig.turnedOn(`${url()}/${name}`, filters)
    await rig.append('crisis_alerts', { exchange: 'binance', symbol: 'ETH/USDT', severity: 1 })
    await rig.append('crisis_alerts', { exchange: 'binance', symbol: 'ETH/USDT', severity: 2 })
    await rig.append('crisis_alerts', { exchange: 'kraken', symbol: 'ETH/USDT', severity: 3 })
    const leg = (exchange: string) => ({ exchange, symbol: 'ETH/USDT', alerts: [] })
    await rig.append('arbitrage_2cex', { items: [{ buy: leg('kraken'), sell: leg('binance') }] })
    await rig.append('arbitrage_2cex', { items: [{ buy: leg('kraken'), sell: leg('bybit') }] })
    await rig.deliver()
    const count = (name: string) =>
      receiver.items(`${base}/${name}`).map(({ event }) => event.data['severity'] ?? 'list')
    expect(count('all')).toEqual([1, 2, 3])
    expect(count('pair')).toEqual([1, 2])
    expect(count('severe')).toEqual([3])
    expect(count('both')).toEqual([2])
    expect(count('other')).toEqual(['list'])
  })

  test('of a paid feed is sent while the account has the tier and is subscribed', async () => {
    const { accountId } = await rig.turnedOn(url(), { feed_keys: ['priority_pool'] })
    const runs = async (endsAt: Date) =>
      pool.query(sql.unsafe`
        INSERT INTO subscription (account_id, tier, started_at, ends_at, paid, bought_seconds)
        VALUES (${accountId}, 1, ${START}, ${endsAt.toISOString()}, 10, 2592000)
        ON CONFLICT (account_id) DO UPDATE SET ends_at = excluded.ends_at`)
    await rig.append('priority_pool')
    await rig.deliver()
    await runs(new Date(clock.now().getTime() + DAY))
    const seq = await rig.append('priority_pool')
    await rig.deliver()
    await pool.query(sql.unsafe`DELETE FROM feed_subscription WHERE account_id = ${accountId}`)
    await rig.append('priority_pool')
    await rig.deliver()
    expect(ids()).toEqual([`priority_pool-${seq}`])
  })

  test.each([
    ['status_500', (response: { writeHead(status: number): { end(): void } }) => response.writeHead(500).end()],
    [
      'redirect',
      (response: never) =>
        (response as { writeHead(status: number, headers: object): { end(): void } })
          .writeHead(308, { location: url('other.test') })
          .end(),
    ],
    ['connection_failed', (response: never) => (response as { destroy(): void }).destroy()],
    // A status that no answer ends with.
    [
      'connection_failed',
      (response: never) =>
        (response as { socket: { end(text: string): void } }).socket.end(
          'HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n',
        ),
    ],
  ])(
    'that is refused with %s is sent again later with the same id, and nothing follows a redirect',
    async (reason, behave) => {
      const { accountId } = await rig.turnedOn(url())
      receiver.behave.set(path, behave as never)
      const seq = await rig.append('crisis_alerts')
      await rig.deliver()
      expect(await rig.shown(accountId)).toMatchObject({
        state: 'on',
        last_failure: reason,
        failing_since: clock.now().toISOString(),
      })
      // Nothing is sent before its time.
      await rig.deliver()
      expect(ids()).toHaveLength(1)
      receiver.behave.delete(path)
      clock.advance(5_000)
      await rig.deliver()
      expect(ids()).toEqual([`crisis_alerts-${seq}`, `crisis_alerts-${seq}`])
      expect(receiver.items(path).map(({ host }) => host)).toEqual(['hook.test', 'hook.test'])
      expect(await rig.shown(accountId)).toMatchObject({ last_failure: null, failing_since: null })
    },
  )

  test('goes to no private address that the name leads to later, and the name is resolved once for each message', async () => {
    const { accountId } = await rig.turnedOn(url('other.test'))
    await rig.append('crisis_alerts')
    const before = receiver.resolved
    await rig.deliver()
    expect(receiver.resolved).toBe(before + 1)
    receiver.names.set('other.test', ['10.0.0.1'])
    await rig.append('crisis_alerts')
    await rig.deliver()
    receiver.names.set('other.test', ['127.0.0.1'])
    expect(ids()).toHaveLength(1)
    expect(await rig.shown(accountId)).toMatchObject({ last_failure: 'no_public_address' })
  })

  test('to a receiver that hangs, is given up for now at the time limit, and the body of an answer is not waited for', async () => {
    const quick = contextOf(
      pool,
      clock,
      policyTo(receiver.reach, () => ['127.0.0.1'], 1_000),
      openSecretBox(KEY, null),
    )
    const { accountId } = await rig.turnedOn(url())
    // Never answers.
    receiver.behave.set(path, () => {})
    await rig.append('crisis_alerts')
    await deliverWebhooks(quick)(AbortSignal.timeout(600_000))
    expect(await rig.shown(accountId)).toMatchObject({ last_failure: 'timeout' })
    // Answers at once and goes on for ever: the status is all that counts.
    receiver.behave.set(path, (response) => void response.writeHead(200).write('a'))
    clock.advance(5_000)
    await rig.deliver()
    expect(await rig.shown(accountId)).toMatchObject({ last_failure: null })
  })

  test('that one receiver does not answer delays no other host, and no further item of another webhook of its host', async () => {
    const first = path
    await rig.turnedOn(`${url('slow.test')}/hangs`)
    await rig.turnedOn(`${url('slow.test')}/works`)
    await rig.turnedOn(url())
    const stop = new AbortController()
    receiver.behave.set(`${first}/hangs`, () => {})
    await rig.append('crisis_alerts')
    const pass = rig.deliver(stop.signal)
    await eventually(() => receiver.items(`${first}/hangs`).length === 1 && ids().length === 1)
    stop.abort()
    await pass
    clock.advance(5_000)
    receiver.behave.delete(`${first}/hangs`)
    await rig.deliver()
    expect(receiver.items(`${first}/works`)).toHaveLength(1)
    // The pass that was stopped says nothing about the receiver: the item goes out again and is counted as no failure.
    expect(receiver.items(`${first}/hangs`)).toHaveLength(2)
  })

  test('is one of at most one message at a time to a host', async () => {
    const first = path
    let [open, most] = [0, 0]
    for (const name of ['a', 'b', 'c', 'd']) {
      await rig.turnedOn(`${url()}/${name}`)
      receiver.behave.set(`${first}/${name}`, (response) => {
        open += 1
        most = Math.max(most, open)
        setImmediate(() => {
          open -= 1
          response.writeHead(200).end()
        })
      })
    }
    for (let items = 0; items < 3; items += 1) await rig.append('crisis_alerts')
    await deliverFor(0)
    expect(
      receiver.received.filter((one) => one.path.startsWith(first) && one.event.type.startsWith('cherry.feed')),
    ).toHaveLength(12)
    expect(most).toBe(1)
  })

  test('whose sender is killed between sending and storing is sent again with the same id', async () => {
    const { accountId } = await rig.turnedOn(url())
    const seq = await rig.append('crisis_alerts')
    const worker = fork(new URL('killed-sender.ts', import.meta.url), [], {
      execArgv: [],
      env: {
        ...inherited(),
        TEST_DATABASE_URL: database.url,
        TEST_NOW: clock.now().toISOString(),
        TEST_KEY: KEY,
        TEST_REACH: JSON.stringify(receiver.reach),
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    receiver.behave.set(path, () => void worker.kill('SIGKILL'))
    const [, signal] = await once(worker, 'exit')
    expect(signal).toBe('SIGKILL')
    expect(ids()).toEqual([`crisis_alerts-${seq}`])
    receiver.behave.delete(path)
    await rig.deliver()
    expect(ids()).toHaveLength(1)
    clock.advance(5_000)
    await rig.deliver()
    expect(ids()).toEqual([`crisis_alerts-${seq}`, `crisis_alerts-${seq}`])
    expect(await rig.shown(accountId)).toMatchObject({ state: 'on', failing_since: null })
  })

  test('that its receiver alone refuses is given up after a day, while others go on', async () => {
    const { accountId } = await rig.turnedOn(url())
    const bad = await rig.append('crisis_alerts', { text: 'poison' })
    receiver.behave.set(path, (response) =>
      response.writeHead(receiver.received.at(-1)?.body.includes('poison') === true ? 400 : 200).end(),
    )
    for (let hour = 0; hour < 26; hour += 1) {
      await rig.append('crisis_alerts')
      await deliverFor(3_600_000)
    }
    const tries = ids().filter((id) => id === `crisis_alerts-${bad}`).length
    expect(tries).toBeGreaterThan(10)
    expect(new Set(ids())).toHaveProperty('size', 27)
    await rig.append('crisis_alerts')
    await deliverFor(2 * 3_600_000)
    expect(ids().filter((id) => id === `crisis_alerts-${bad}`)).toHaveLength(tries)
    expect(await rig.shown(accountId)).toMatchObject({ state: 'on' })
  })
})

describe('a webhook', () => {
  test('whose receiver accepts nothing for a day is turned off, once, with a notice, and nothing waits for it', async () => {
    const { accountId, webhook_id } = await rig.turnedOn(url())
    receiver.behave.set(path, (response) => response.writeHead(500).end())
    await rig.append('crisis_alerts')
    await rig.append('crisis_alerts')
    await deliverFor(DAY - 60_000)
    expect(await rig.shown(accountId)).toMatchObject({ state: 'on' })
    expect(await told(webhook_id)).toEqual([])
    await deliverFor(2 * 3_600_000)
    const off = await rig.shown(accountId)
    expect(off).toMatchObject({ state: 'off', off_reason: 'failing', last_failure: 'status_500' })
    expect(await told(webhook_id)).toEqual([
      { account_id: accountId, webhook_id, host: 'hook.test', reason: 'failing', off_at: off.off_at },
    ])
    const sent = ids().length
    await rig.append('crisis_alerts')
    await deliverFor(DAY)
    expect(ids()).toHaveLength(sent)
    // It is turned on again by another challenge, and goes on with what comes next.
    receiver.behave.delete(path)
    await rig.verify(accountId, webhook_id)
    const seq = await rig.append('crisis_alerts')
    await rig.deliver()
    expect(ids().slice(sent)).toEqual([`crisis_alerts-${seq}`])
    expect(await rig.shown(accountId)).toMatchObject({ state: 'on', off_at: null, off_reason: null })
  })

  test('whose receiver answers 410 Gone is turned off at once', async () => {
    const { accountId, webhook_id } = await rig.turnedOn(url())
    receiver.behave.set(path, (response) => response.writeHead(410).end())
    await rig.append('crisis_alerts')
    await rig.deliver()
    expect(await rig.shown(accountId)).toMatchObject({ state: 'off', off_reason: 'gone' })
    expect(await told(webhook_id)).toMatchObject([{ reason: 'gone' }])
  })

  test('for which too much waits is turned off', async () => {
    const { accountId, webhook_id } = await rig.turnedOn(url())
    receiver.behave.set(path, (response) => response.writeHead(503).end())
    await pool.query(sql.unsafe`
      INSERT INTO webhook_delivery (webhook_id, feed_key, seq, queued_at, next_at)
      SELECT ${webhook_id}, 'crisis_alerts', 1000000 + n, ${clock.now().toISOString()}, ${new Date(clock.now().getTime() + DAY).toISOString()}
      FROM generate_series(1, ${BACKLOG_MAX}) n`)
    await rig.deliver()
    expect(await rig.shown(accountId)).toMatchObject({ state: 'on' })
    await rig.append('crisis_alerts')
    await rig.deliver()
    expect(await rig.shown(accountId)).toMatchObject({ state: 'off', off_reason: 'backlog' })
  })

  test('is sent nothing and loses nothing while the key is missing, and its secret moves to the next key', async () => {
    const { secret } = await rig.turnedOn(url())
    const seq = await rig.append('crisis_alerts')
    const run = (box: ReturnType<typeof openSecretBox> | null) =>
      deliverWebhooks(contextOf(pool, clock, receiver.policy, box))(AbortSignal.timeout(600_000))
    await run(null)
    expect(ids()).toEqual([])
    const next = randomBytes(32).toString('base64url')
    await run(openSecretBox(next, KEY))
    // The former key is no longer needed.
    const last = await rig.append('crisis_alerts')
    await run(openSecretBox(next, null))
    expect(ids()).toEqual([`crisis_alerts-${seq}`, `crisis_alerts-${last}`])
    const message = receiver.items(path).at(-1)
    if (message === undefined) throw new Error('no item came')
    const at = new Date(Number(message.headers['webhook-timestamp']) * 1000)
    expect(message.headers['webhook-signature']).toBe(
      new Webhook(secret).sign(`crisis_alerts-${last}`, at, message.body),
    )
  })

  test('whose secret no key opens rests, is never turned off for it, and stops no other', async () => {
    const lost = path
    const { accountId, webhook_id } = await rig.turnedOn(`${url()}/lost`)
    await rig.turnedOn(url())
    const stored = await pool.one(sql.type(secretRow)`SELECT secret, xmin::text FROM webhook WHERE id = ${webhook_id}`)
    await pool.query(sql.unsafe`UPDATE webhook SET secret = '00000000.AAAA' WHERE id = ${webhook_id}`)
    const seq = await rig.append('crisis_alerts')
    await rig.deliver()
    await pool.query(sql.unsafe`
      INSERT INTO webhook_delivery (webhook_id, feed_key, seq, queued_at, next_at)
      SELECT ${webhook_id}, 'crisis_alerts', 1000000 + n, ${clock.now().toISOString()}, ${new Date(clock.now().getTime() + 9 * DAY).toISOString()}
      FROM generate_series(1, ${BACKLOG_MAX}) n`)
    await deliverFor(2 * DAY)
    expect(await rig.shown(accountId)).toMatchObject({
      state: 'on',
      failing_since: null,
      last_failure: 'secret_unreadable',
    })
    expect(await told(webhook_id)).toEqual([])
    expect(ids()).toHaveLength(1)
    expect(await webhookGauges(pool)['hub_webhook_secrets_unreadable']?.read()).toBe(1)
    // With the right key, what waited is sent.
    await pool.query(sql.unsafe`UPDATE webhook SET secret = ${stored.secret} WHERE id = ${webhook_id}`)
    await pool.query(sql.unsafe`DELETE FROM webhook_delivery WHERE webhook_id = ${webhook_id} AND seq > 1000000`)
    await deliverFor(3_600_000)
    expect(receiver.items(`${lost}/lost`).map(({ event }) => event.id)).toEqual([`crisis_alerts-${seq}`])
    expect(await webhookGauges(pool)['hub_webhook_secrets_unreadable']?.read()).toBe(0)
  })

  test('whose secret no key opens is not written when secrets are encrypted again, and a former secret ends with its time', async () => {
    const { webhook_id } = await rig.turnedOn(url())
    await pool.query(sql.unsafe`
      UPDATE webhook SET secret = '00000000.AAAA', old_secret = '00000000.AAAA', old_secret_ends_at = ${new Date(clock.now().getTime() + 60_000).toISOString()}
      WHERE id = ${webhook_id}`)
    const read = () =>
      pool.one(
        sql.type(
          secretRow,
        )`SELECT coalesce(old_secret, 'none') AS secret, xmin::text FROM webhook WHERE id = ${webhook_id}`,
      )
    const before = await read()
    await rig.deliver()
    expect(await read()).toEqual(before)
    clock.advance(60_000)
    await rig.deliver()
    expect(await read()).toMatchObject({ secret: 'none' })
  })

  test('to which nothing was sent for longest is sent to first, and each item is read once', async () => {
    for (const host of ['hook.test', 'other.test', 'slow.test']) await rig.turnedOn(url(host))
    await rig.append('crisis_alerts')
    receiver.behave.set(path, (response) => response.writeHead(503).end())
    await rig.deliver()
    clock.advance(5_000)
    const at = (seconds: number) => new Date(clock.now().getTime() - seconds * 1000).toISOString()
    for (const [host, seconds] of [
      ['hook.test', 10],
      ['other.test', 30],
    ] as const)
      await pool.query(sql.unsafe`UPDATE webhook SET last_delivered_at = ${at(seconds)} WHERE host = ${host}`)
    const due = await dueDeliveries(pool, clock.now(), { perHost: 50, max: 1_000 })
    expect(due.map(({ host }) => host)).toEqual(['slow.test', 'other.test', 'hook.test'])
    expect(new Set(due.map(({ item }) => item))).toHaveProperty('size', 1)
  })
})
