import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '@svc/contract'
import { freePort } from '@svc/servers'
import { eventually } from '@svc/testing'
import pg from 'pg'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAgent, openOwner, tightenPolicy } from '../dev/history/onboarding.ts'
import { preparePlatform, type Prepared } from '../dev/platform.ts'
import { SERVICES, serviceProcess, type ServiceProcess } from '../dev/services.ts'
import { QUIET_REPLAY } from '../dev/venues.ts'
import { ask, askUntilAnswered, untilServed } from './client.ts'
import { randomOf } from './contract/random.ts'
import { newDataFolder } from './data-folder.ts'
import { firstSteps, ONCE_EACH, PAIRS } from './first-steps.ts'
import { allTookEffect, LOST_BY, loseStreams, query } from './lose-streams.ts'
import { registerAgent, signIn, type Agent } from './people.ts'

const LONG = process.env['TEST_LONG'] === '1'
const CHAOS_MS = LONG ? 240_000 : 18_000
/** On a busy machine the faults go on until there were this many. */
const FAULTS_MIN = 6
const SEED = Number(process.env['TEST_SEED'] ?? 20261121)
/** Pairs of the agents, one each. */
const MINED = ['binance', 'kucoin']
  .flatMap((exchange) => PAIRS.map((pair) => [exchange, pair] as const))
  .slice(0, LONG ? undefined : 8)

/** The clock of the second gateway is a minute behind in every test. */
const OFF_MS = 60_000
const clockOff = (ms: number) => ({
  NODE_OPTIONS: `--import=${new URL('./clock-off.ts', import.meta.url).href}`,
  TEST_CLOCK_OFF_MS: String(ms),
})

let dataDir: string
let platform: Prepared
let processes: Map<string, ServiceProcess>
let gateways: string[]
let db: pg.Client
let environmentOf: (service: string, port: number) => Environment

beforeAll(async () => {
  dataDir = newDataFolder('faults')
  const ports = [await freePort(), await freePort()]
  gateways = ports.map((port) => `http://127.0.0.1:${port}`)
  platform = await preparePlatform({ dataDir, publicUrl: gateways[0] ?? '', durable: false, venues: QUIET_REPLAY })
  const more = {
    SVC_DAILY_LIMIT_FREE: '100000',
    SVC_DAILY_LIMIT_TIER1: '100000',
    SVC_OPEN_LIMIT_MINUTE: '100000',
    SVC_OPEN_LIMIT_DAY: '1000000',
    SVC_LOG_LEVEL: 'silent',
    SVC_MINING_EVIDENCE_TIMEOUT_MS: '500',
  }
  environmentOf = (name, port) => platform.environmentOf(name, { ...more, SVC_PORT: String(port) })
  processes = new Map(SERVICES.map((name) => [name, serviceProcess(name, environmentOf(name, ports[0] ?? 0))]))
  const behind = { ...environmentOf('gateway', ports[1] ?? 0), ...clockOff(-OFF_MS) }
  processes.set('gateway-2', serviceProcess('gateway', behind))
  await Promise.all([...processes.values()].map((one) => one.start()))
  const url = new URL(platform.servers.postgres.url)
  url.pathname = '/platform'
  db = new pg.Client({ connectionString: url.href })
  db.on('error', () => {})
})

afterAll(async () => {
  await db.end().catch(() => {})
  await Promise.all([...processes.values()].map((one) => one.kill()))
  await platform.servers.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const rows = async <T extends pg.QueryResultRow>(text: string): Promise<T[]> => (await db.query<T>(text)).rows

const OWNERS = ['identity', 'mining', 'subscriptions']

/**
 * A process killed between its claim of an Idempotency-Key and its answer leaves the claim in flight for 15 minutes.
 * This ages claims older than 2 s by those minutes, so that the test covers the takeover and its fence.
 */
async function letClaimsAge(): Promise<void> {
  const url = new URL(platform.servers.postgres.url)
  url.pathname = '/platform'
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    for (const schema of OWNERS)
      await client.query(`UPDATE ${schema}.idempotency SET claimed_at = claimed_at - interval '15 minutes'
        WHERE state = 'in_flight' AND claimed_at BETWEEN now() - interval '15 minutes' AND now() - interval '2 seconds'`)
  } catch {
    // Postgres is one of the servers that are killed.
  } finally {
    await client.end().catch(() => {})
  }
}

describe('a revoked key', () => {
  /** Status of a call with a key: each process answers its first calls late on a busy machine, and says so by 503. */
  const statusAt = async (base: string, key: string) =>
    (await askUntilAnswered([base], '/subscriptions/cherries/balance', { key })).status

  test('is dead at every gateway', async () => {
    const [one = '', two = ''] = gateways
    const agent = await untilServed(() => registerAgent(one))
    const made = await ask(one, '/auth/agent/keys', { key: agent.key, body: { name: 'spare' } })
    const spare: string = made.body.api_key
    expect(await statusAt(two, spare)).toBe(200)
    // Kept warm at the other gateway, so that its cache holds the key when it is revoked.
    expect(await statusAt(two, spare)).toBe(200)
    expect((await ask(one, `/auth/agent/keys/${made.body.key_id}`, { key: agent.key, method: 'DELETE' })).status).toBe(
      200,
    )
    await eventually(async () => (await statusAt(two, spare)) === 401)
    expect(await statusAt(one, spare)).toBe(401)
  })

  test('is dead even if NATS delivers no event', async () => {
    const [one = '', two = ''] = gateways
    const agent = await untilServed(() => registerAgent(one))
    const made = await ask(one, '/auth/agent/keys', { key: agent.key, body: { name: 'spare' } })
    const spare: string = made.body.api_key
    expect(await statusAt(two, spare)).toBe(200)
    // Revoked in the database, so that no event is published.
    await db.connect()
    await db.query(`UPDATE identity.api_keys SET revoked_at = now() WHERE key_id = $1`, [made.body.key_id])
    await eventually(async () => (await statusAt(two, spare)) === 401)
    await db.end()
    const url = new URL(platform.servers.postgres.url)
    url.pathname = '/platform'
    db = new pg.Client({ connectionString: url.href })
    db.on('error', () => {})
  })
})

/** Submissions of the walks so far: each walk buys a tier, and mines a field of its own. */
const walked: string[] = []
let walks = 0

const newWallet = () => privateKeyToAccount(generatePrivateKey())

/** First steps of an agent through one gateway. Returns a function that reads the kinds of its entries in the ledger. */
async function walkThrough(base: string): Promise<() => Promise<readonly string[]>> {
  walks += 1
  const { submissions, kindsOf } = await firstSteps([base], platform.house, walks - 1)
  walked.push(...submissions)
  return kindsOf
}

describe('a host whose clock is a minute off', () => {
  test('serves people as any other: each is paid, charged and given once', async () => {
    const kindsOf = await walkThrough(gateways[1] ?? '')
    await eventually(async () => expect(await kindsOf()).toEqual(ONCE_EACH))
  })

  test.runIf(LONG).each(SERVICES.flatMap((name) => [-OFF_MS, OFF_MS].map((ms) => [name, ms] as const)))(
    'serves people by %s with a clock that is %i ms off',
    async (name, ms) => {
      const right = processes.get(name)
      const port = Number(new URL(gateways[0] ?? '').port)
      const off = serviceProcess(name, { ...environmentOf(name, port), ...clockOff(ms) })
      await right?.kill()
      await off.start()
      try {
        const kindsOf = await walkThrough(gateways[0] ?? '')
        await eventually(async () => expect(await kindsOf()).toEqual(ONCE_EACH))
      } finally {
        await off.kill()
        await right?.start()
      }
    },
  )
})

/** Has a webhook turned off: more items wait for it than it may have. */
async function overfillWebhook(base: string): Promise<void> {
  const agent = await untilServed(() => registerAgent(base))
  const of = { key: agent.key }
  await askUntilAnswered([base], '/feeds/subscribe', { ...of, body: { feed_key: 'crisis_alerts' } })
  const hook = { url: 'https://example.org/hook', feed_keys: ['crisis_alerts'] }
  const { status, body } = await askUntilAnswered([base], '/feeds/webhooks', { ...of, body: hook })
  expect(status).toBe(201)
  await query(platform.servers, `UPDATE subscriptions.webhook SET state = 'on' WHERE id = $1`, [body.webhook_id])
  await query(
    platform.servers,
    `INSERT INTO subscriptions.webhook_delivery (webhook_id, feed_key, seq, queued_at, next_at)
     SELECT $1, 'crisis_alerts', n, now(), now() + interval '1 day' FROM generate_series(1, 5001) AS n`,
    [body.webhook_id],
  )
}

describe('lost consumers and streams', () => {
  test('each payout, credit and change of an agent takes effect once while every consumer and stream of money and accounts is deleted and repaired under traffic', async () => {
    const base = gateways[0] ?? ''
    const others: Promise<() => Promise<readonly string[]>>[] = []
    // The last walk goes on while the next loss or repair comes.
    await loseStreams(platform.servers, LOST_BY.money, async (event, before) => {
      await others.at(-1)
      if (before > 0) return
      if (event === 'webhookTurnedOff') return overfillWebhook(base)
      others.push(walkThrough(base))
      const owner = await untilServed(() => openOwner(base, newWallet()))
      const agent = await untilServed(() => openAgent(base, { name: 'paired' }, newWallet(), owner))
      await untilServed(() => tightenPolicy(base, agent.id, owner))
    })
    for (const kindsOf of await Promise.all(others))
      await eventually(async () => expect(await kindsOf()).toEqual(ONCE_EACH))
    await allTookEffect(platform.servers, LOST_BY.money)
  })
})

describe('money under faults', () => {
  test(
    `nothing is lost and nothing is paid twice while processes and servers are killed (seed ${SEED})`,
    // What the agents of one attempt stored is no fresh start for another.
    async () => {
      const base = gateways[0] ?? ''
      const reviewers = await Promise.all(platform.house.reviewers.map((wallet) => signIn(base, wallet)))
      const admin = await signIn(base, platform.house.admin)
      const agents: Agent[] = []
      for (let index = 0; index < MINED.length; index += 1) agents.push(await registerAgent(base, `agent-${index}`))

      let chaos = true
      const done: string[] = []
      const faults = (async () => {
        const { next } = randomOf(SEED)
        const end = Date.now() + CHAOS_MS
        while (Date.now() < end || done.length < FAULTS_MIN) {
          const roll = next()
          if (roll < 0.6) {
            const names = [...processes.keys()]
            const name = names[Math.floor(next() * names.length)] ?? ''
            const victim = processes.get(name)
            await victim?.kill()
            done.push(`kill ${name}`)
            await delay(next() * 300)
            await victim?.start()
          } else {
            const server =
              roll < 0.75 ? platform.servers.nats : roll < 0.87 ? platform.servers.redis : platform.servers.postgres
            await server.kill()
            done.push(`kill server ${roll < 0.75 ? 'nats' : roll < 0.87 ? 'redis' : 'postgres'}`)
            await delay(next() * 300)
            await server.start()
          }
          await delay(200 + next() * 500)
        }
        chaos = false
      })()

      const accepted: string[] = []
      const work = agents.map(async (agent, index) => {
        for (let round = 0; chaos || round === 0; round += 1) {
          const [exchange, pair] = MINED[index] ?? []
          // Each agent mines its own pair; once its fields are used up, it only keeps reading.
          const fields = [
            {
              field_name: 'website',
              field_value: `https://example.com/${index}`,
              evidence_url: 'https://example.com/',
            },
            {
              field_name: 'docs',
              field_value: `https://docs.example.com/${index}`,
              evidence_url: 'https://example.com/',
            },
            {
              field_name: 'github',
              field_value: `https://github.com/example/${index}`,
              evidence_url: 'https://example.com/',
            },
            {
              field_name: 'telegram',
              field_value: `https://t.me/example${index}`,
              evidence_url: 'https://example.com/',
            },
          ]
          const entry = fields[round]
          if (entry === undefined) {
            await delay(200)
            continue
          }
          const submitted = await askUntilAnswered(gateways, '/agent/mining/submit', {
            key: agent.key,
            idempotencyKey: `submit-${round}`,
            body: { exchange, symbol: `${pair}/USDT`, entries: [entry] },
          })
          expect(submitted.status, JSON.stringify(submitted.body)).toBe(202)
          const id: string = submitted.body.submission_ids[0]
          accepted.push(id)
          // Two reviewers and a double click: only one decision may count.
          const decisions = await Promise.all(
            [0, 1, 0].map((who) =>
              askUntilAnswered(gateways, `/admin/mining/submissions/${id}/review`, {
                token: reviewers[who]?.token ?? '',
                idempotencyKey: randomUUID(),
                body: { decision: 'approve' },
              }),
            ),
          )
          for (const decision of decisions) expect([200, 409], JSON.stringify(decision.body)).toContain(decision.status)
          expect(decisions.some((decision) => decision.status === 200)).toBe(true)
        }
      })
      const buying = agents.map(async (agent, index) => {
        const granted = await askUntilAnswered(gateways, '/admin/cherry/adjustments', {
          token: admin.token,
          idempotencyKey: `grant-${agent.id}`,
          body: { user_id: agent.id, amount: 25_000, reason: 'test of faults' },
        })
        expect(granted.status, JSON.stringify(granted.body)).toBe(201)
        await delay(index * 200)
        const bought = await Promise.all(
          [0, 1].map(() =>
            askUntilAnswered(gateways, '/subscriptions/cherries/subscribe', {
              key: agent.key,
              idempotencyKey: 'buy',
              body: { tier: 1, months: 1 },
            }),
          ),
        )
        for (const answer of bought) expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      })
      let working = true
      const ageing = (async () => {
        while (working) {
          await letClaimsAge()
          await delay(500)
        }
      })()
      await Promise.all([faults, ...work, ...buying]).finally(() => (working = false))
      await ageing
      expect(done.length).toBeGreaterThanOrEqual(FAULTS_MIN)

      await db.connect()
      // After the faults every accepted effect arrives.
      await eventually(async () => {
        const [open] = await rows<{
          open: string
        }>(`SELECT (SELECT count(*) FROM mining.outbox) + (SELECT count(*) FROM subscriptions.outbox) + (SELECT count(*) FROM identity.outbox)
        + (SELECT count(*) FROM mining.payout WHERE paid_at IS NULL) AS open`)
        expect(open?.open).toBe('0')
      })

      await db.query('SET search_path TO subscriptions')
      const [check] = await rows<{ total: string; unequal: string; negative: string }>(
        'SELECT total, unequal, negative FROM subscriptions.ledger_check()',
      )
      expect(check).toMatchObject({ total: '0', unequal: '0', negative: '0' })
      const paid = await rows<{ reference: string; times: string }>(
        `SELECT reference, count(*) AS times FROM subscriptions.ledger_transfer WHERE kind = 'mining_reward' GROUP BY reference`,
      )
      expect(paid.filter((row) => row.times !== '1')).toEqual([])
      expect(paid.map((row) => row.reference).sort()).toEqual([...accepted, ...walked].sort())
      const charged = await rows<{ account_id: string; times: string; charge: string }>(
        'SELECT account_id, count(*) AS times, sum(charge) AS charge FROM subscriptions.purchase GROUP BY account_id',
      )
      expect(charged).toHaveLength(agents.length + walked.length)
      expect(charged.every((row) => row.times === '1' && row.charge === '10000')).toBe(true)
      const stored = await rows<{ status: string }>(
        `SELECT status FROM mining.submission WHERE id = ANY('{${accepted.join(',')}}')`,
      )
      expect(stored).toHaveLength(accepted.length)
      expect(stored.every((row) => row.status === 'approved')).toBe(true)

      for (const agent of agents) {
        const { body } = await askUntilAnswered(gateways, '/subscriptions/cherries/history?limit=200', {
          key: agent.key,
        })
        const kinds = (body.items as { kind: string }[]).map((item) => item.kind)
        expect(kinds.filter((kind) => kind === 'welcome')).toHaveLength(1)
        expect(kinds.filter((kind) => kind === 'adjustment')).toHaveLength(1)
        expect(kinds.filter((kind) => kind === 'subscription')).toHaveLength(1)
      }
    },
  )
})
