import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '@svc/contract'
import { freePort } from '@svc/servers'
import { eventually } from '@svc/testing'
import pg from 'pg'
import { NO_LIMITS } from '../../dev/no-limits.ts'
import { preparePlatform, type Prepared } from '../../dev/platform.ts'
import { serviceProcess, type ServiceProcess } from '../../dev/services.ts'
import { ONE_VENUE } from '../../dev/venues.ts'
import { ask, askUntilAnswered } from '../client.ts'
import { newDataFolder } from '../data-folder.ts'
import { registerAgent, signIn, type Agent } from '../people.ts'
import { attackAs } from './attacker.ts'
import { SERVICES } from './subjects.ts'

/** Rows that must not change without their owner's consent. */
const VALUABLES: Readonly<Record<string, string>> = {
  balances: `SELECT holder_id, kind, sum(balance)::text AS balance FROM subscriptions.ledger_account
    WHERE kind <> 'issuance' GROUP BY holder_id, kind ORDER BY holder_id, kind`,
  transfers: `SELECT count(*)::int AS n, coalesce(sum(amount), 0)::text AS amount FROM subscriptions.ledger_transfer`,
  ledger: `SELECT total::text, unequal::int, negative::int FROM subscriptions.ledger_check()`,
  tiers: `SELECT * FROM subscriptions.subscription ORDER BY 1`,
  accounts: `SELECT * FROM identity.accounts ORDER BY 1`,
  keys: `SELECT key_id, account_id, hash, scopes, revoked_at FROM identity.api_keys ORDER BY 1`,
  sessions: `SELECT * FROM identity.sessions ORDER BY 1`,
  policies: `SELECT * FROM identity.policies ORDER BY 1`,
  submissions: `SELECT * FROM mining.submission ORDER BY 1`,
  payouts: `SELECT * FROM mining.payout ORDER BY 1`,
  mandates: `SELECT * FROM mandates.mandate ORDER BY 1`,
  records: `SELECT * FROM mandates.record_entry ORDER BY 1`,
  approvals: `SELECT * FROM mandates.approval ORDER BY 1`,
  transactions: `SELECT * FROM keeper.attempt ORDER BY 1`,
  legs: `SELECT public_id, owner_address, state, epoch, agent_address FROM hl_leg.leg ORDER BY 1`,
  legOrders: `SELECT public_id, order_key, state, body FROM hl_leg.leg_order ORDER BY 1, 2`,
  legTransfers: `SELECT transfer_id, kind, amount::text, state, body FROM hl_leg.transfer ORDER BY 1`,
  ownAccounts: `SELECT owner_id, wallet, epoch, agent_address, ended_at FROM hl_trade.own_account ORDER BY 1, 2`,
  tradeOrders: `SELECT order_id, owner_id, state, cloid FROM hl_trade.trade_order ORDER BY 1`,
  orderCaps: `SELECT * FROM hl_trade.order_cap ORDER BY 1`,
  paperBooks: `SELECT book, owner_id, cash_usdc::text FROM hl_trade.paper_book ORDER BY 1`,
  paperFills: `SELECT order_id, size::text, notional_usdc::text FROM hl_trade.paper_fill ORDER BY 1`,
  reports: `SELECT * FROM research_reports.report ORDER BY 1`,
}

/** A platform with a process per service and accounts that have something to lose. */
export interface Scene {
  readonly url: string
  readonly platform: Prepared
  readonly processes: ReadonlyMap<string, ServiceProcess>
  readonly admin: { readonly token: string; readonly id: number }
  readonly victim: Agent
  /** Environment of a compromised process of the service. */
  environmentOf(service: string): Environment
  rows<T extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<T[]>
  valuables(): Promise<Readonly<Record<string, unknown>>>
  /** Returns the victim's Cherry balance from the API. */
  balance(): Promise<number>
  /** Fails unless every service still works, including events and streams. */
  mustServe(): Promise<void>
  /** Fails unless a wallet can sign in: identity, and its nonces in Redis. */
  mustSignIn(): Promise<void>
  /** Requests a balance again and again during an attack; returns all other final answers. A late one is asked for again. */
  outages(during: () => Promise<void>): Promise<readonly string[]>
  stop(): Promise<void>
}

const PLENTY: Environment = {
  ...NO_LIMITS,
  SVC_LOG_LEVEL: 'silent',
  SVC_MINING_EVIDENCE_TIMEOUT_MS: '500',
}

export async function startScene(): Promise<Scene> {
  const dataDir = newDataFolder('compromised')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const platform = await preparePlatform({
    dataDir,
    publicUrl: url,
    durable: false,
    chain: true,
    leg: true,
    venues: ONE_VENUE,
  })
  const environmentOf = (service: string) => platform.environmentOf(service, { ...PLENTY, SVC_PORT: String(port) })
  const processes = new Map(SERVICES.map((name) => [name, serviceProcess(name, environmentOf(name))]))
  const address = new URL(platform.servers.postgres.url)
  address.pathname = '/platform'
  const db = new pg.Client({ connectionString: address.href })
  // A lost connection fails the query that needs it.
  db.on('error', () => {})
  const stop = async () => {
    await db.end().catch(() => {})
    await Promise.all([...processes.values()].map((one) => one.kill()))
    await platform.servers.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await Promise.all([...processes.values()].map((one) => one.start()))
    await db.connect()
    await db.query('SET search_path TO subscriptions')
    const rows = async <T extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await db.query<T>(text, [...values])).rows
    const people = await populate(url, platform)
    return {
      url,
      platform,
      processes,
      ...people,
      environmentOf,
      rows,
      valuables: async () => {
        const found: Record<string, unknown> = {}
        for (const [name, text] of Object.entries(VALUABLES)) found[name] = await rows(text)
        return found
      },
      balance: async () =>
        (await ask(url, '/subscriptions/cherries/balance', { key: people.victim.key })).body.balance as number,
      mustSignIn: async () => void (await signIn(url, people.victim.wallet)),
      outages: (during) => outages(url, people.victim, during),
      mustServe: () => mustServe(url, people.victim, environmentOf),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Creates an admin, an agent with Cherry, a tier, a pending submission, a feed and an owner's draft, and an owner with a
 * linked account and a paper book.
 */
async function populate(url: string, platform: Prepared) {
  const admin = await signIn(url, platform.house.admin)
  const victim = await registerAgent(url, 'victim')
  const done = async (path: string, options: Parameters<typeof ask>[2]) => {
    const answer = await ask(url, path, options)
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  await done('/admin/cherry/adjustments', {
    token: admin.token,
    body: { user_id: victim.id, amount: 50_000, reason: 'something to lose' },
  })
  await done('/subscriptions/cherries/subscribe', { key: victim.key, body: { tier: 1, months: 1 } })
  await done('/feeds/subscribe', { key: victim.key, body: { feed_key: 'crisis_alerts' } })
  await done('/hub/mandates/draft', { body: { note: '100 USDC', save: true } })
  const entry = {
    field_name: 'website',
    field_value: 'https://example.com/',
    evidence_url: 'https://example.com/',
  }
  await eventually(() =>
    done('/agent/mining/submit', {
      key: victim.key,
      body: { exchange: 'binance', symbol: 'BTC/USDT', entries: [entry] },
    }),
  )
  await populateTrading(url, platform, done)
  // Balances, inboxes and outboxes are at rest when the attacks begin.
  await eventually(async () => {
    const { body } = await ask(url, '/subscriptions/cherries/history?limit=200', { key: victim.key })
    const kinds = (body.items as { kind: string }[]).map(({ kind }) => kind)
    if (!['welcome', 'adjustment', 'subscription'].every((kind) => kinds.includes(kind))) throw new Error('not yet')
  })
  return { admin, victim }
}

/** Links an account at the venue and fills a paper order. */
async function populateTrading(
  url: string,
  platform: Prepared,
  done: (path: string, options: Parameters<typeof ask>[2]) => Promise<void>,
): Promise<void> {
  const wallet = platform.chain?.wallets.demo[0]
  if (wallet === undefined) throw new Error('the platform has no chain')
  const { token } = await signIn(url, wallet)
  const { body: challenge } = await ask(url, '/hub/own/link/challenge', {
    token,
    body: { wallet_address: wallet.address },
  })
  const signature = await wallet.signMessage({ message: challenge.message })
  await done('/hub/own/link', { token, body: { signature } })
  await done('/hub/own/paper/books', { token, body: { name: 'Book', start_usdc: '1000' } })
  const order = { market: 'hl:BTC', side: 'buy', amount_usdc: '25', mode: 'paper' }
  await eventually(() => done('/hub/order', { token, body: order }))
}

const READS = [
  '/subscriptions/status',
  '/subscriptions/cherries/balance',
  '/agent/mining/fields/binance/BTC_USDT',
  '/agent/targets',
  '/reports?exchange=binance&symbol=BTC%2FUSDT',
  '/hub/mandates',
]

let published = 0

/**
 * Sends a request to each service, and follows one event from end to end: market-data's
 * stream, the consumer and outbox of subscriptions, the gateway's listener, and the reader of a stream.
 */
async function mustServe(url: string, victim: Agent, environmentOf: (service: string) => Environment): Promise<void> {
  for (const path of READS)
    await eventually(async () => {
      const { status, body } = await ask(url, path, { key: victim.key })
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`)
    })
  // A service that publishes empty messages delays its own events at their consumers until these have begun another pull.
  await eventually(() => mustFollow(url, victim, environmentOf))
}

/** Follows an event of market-data to a reader of a stream. */
async function mustFollow(url: string, victim: Agent, environmentOf: (service: string) => Environment): Promise<void> {
  const heard = followed(url, victim)
  const text = `alive-${(published += 1)}-${Date.now()}`
  await heard.open
  const marketData = await attackAs('market-data', environmentOf('market-data'))
  marketData.connection.publish('evt.market-data.feedItemMade', JSON.stringify(feedItem(text)))
  await marketData.connection.flush()
  await marketData.close()
  try {
    const beats = () => heard.text().split(': still here').length
    const before = beats()
    // The stream also reads news with a heartbeat, so the item must come first.
    await eventually(async () => heard.text().includes(text) || beats() > before)
    if (!heard.text().includes(text)) throw new Error('the stream read the item only with its heartbeat')
  } finally {
    heard.close()
  }
}

const feedItem = (text: string) => ({
  id: `market-data-${text}`,
  seq: 1,
  at: new Date().toISOString(),
  payload: {
    feed_key: 'crisis_alerts',
    at: new Date().toISOString(),
    data: {
      episode_id: text,
      change: 'opened',
      rule: 'relative_crash',
      severity: 1,
      token_id: null,
      exchange: 'binance',
      symbol: 'BTC/USDT',
      at: new Date().toISOString(),
      value: null,
      threshold: null,
      text,
    },
  },
})

/** Reads the victim's feed as Server-Sent Events. */
function followed(url: string, victim: Agent) {
  const stop = new AbortController()
  let read = ''
  const response = fetch(new URL('/feeds/stream/crisis_alerts', url), {
    headers: { 'x-svc-user-key': victim.key, accept: 'text/event-stream' },
    signal: stop.signal,
  })
  const reading = response.then(async ({ body, status }) => {
    if (status !== 200 || body === null) throw new Error(`the feed answers ${status}`)
    for await (const chunk of body) read += Buffer.from(chunk).toString('utf8')
  })
  reading.catch(() => {})
  return { open: response, text: () => read, close: () => stop.abort() }
}

async function outages(url: string, victim: Agent, during: () => Promise<void>): Promise<readonly string[]> {
  const found: string[] = []
  let over = false
  const asking = (async () => {
    while (!over) {
      const path = '/subscriptions/cherries/balance'
      const answer = await askUntilAnswered([url], path, { key: victim.key }).catch((error: unknown) => String(error))
      if (typeof answer === 'string') found.push(answer)
      else if (answer.status !== 200) found.push(`${answer.status} ${JSON.stringify(answer.body)}`)
      await delay(200)
    }
  })()
  try {
    await during()
    await delay(1_000)
  } finally {
    over = true
    await asking
  }
  return found
}
