import { setTimeout as delay } from 'node:timers/promises'
import { schemaOf } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import pg from 'pg'
import { GRANT, type LoadResult } from './load.ts'
import type { LocalPlatform } from './start-locally.ts'

/** What a load left behind, as the database says. */
export interface Kept {
  /** Events that their service has not published after a minute. */
  readonly unpublished: number
  /** Events that a reaction gave up. */
  readonly dead: number
  /** Registered agents without those whose registration arrived at subscriptions. */
  readonly lostRegistrations: number
  /** Agents whose Cherry is not what they were given. */
  readonly wrongAgents: readonly number[]
}

export interface Account extends Kept {
  /** Processes that lead each schema; one of each is right. */
  readonly leaders: Readonly<Record<string, number>>
}

const SETTLED_MS = 600_000

/** Connects to the platform's database as the superuser. */
async function openDatabase({ cluster }: LocalPlatform, password: string): Promise<pg.Client> {
  const client = new pg.Client({
    host: cluster.addressOf('postgres-rw'),
    port: 5432,
    user: 'postgres',
    password,
    database: 'platform',
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Counts what a load did, once every event has been published. `services`: those that run. */
export async function settle(platform: LocalPlatform, load: LoadResult, services: readonly string[]): Promise<Account> {
  const db = await openDatabase(platform, platform.secrets['postgres-superuser']?.['password'] ?? '')
  try {
    const kept = await keptOf(db, load, services)
    const pagesOf = (name: string) =>
      (platform.cluster.deployments.get(name)?.pods() ?? []).map(({ address }) => `http://${address}:9464/metrics`)
    return { ...kept, leaders: await leadersOf(services, pagesOf) }
  } finally {
    await db.end()
  }
}

/** The same from a connection of the superuser to the platform's database, without leaders. */
export async function keptOf(db: pg.Client, load: LoadResult, services: readonly string[]): Promise<Kept> {
  const running = contracts.filter(({ name, postgres }) => postgres && services.includes(name))
  const sum = async (table: string) => {
    const parts = running.map(({ name }) => `(SELECT count(*) FROM ${schemaOf(name)}.${table})`)
    const { rows } = await db.query<{ sum: string }>(`SELECT ${parts.join(' + ')} AS sum`)
    return Number(rows[0]?.sum)
  }
  const wrong = async () => {
    const { rows } = await db.query<{ holder_id: string; balance: string; gifts: string }>(
      `SELECT holder_id, balance, (SELECT count(*) FROM subscriptions.adjustment a WHERE a.account_id = holder_id) AS gifts
       FROM subscriptions.ledger_account WHERE kind = 'user' AND holder_id = ANY($1)`,
      [load.agents.map(({ id }) => id)],
    )
    const found = new Map(rows.map((row) => [Number(row.holder_id), row]))
    const welcome = Math.min(...rows.map(({ balance, gifts }) => Number(balance) - GRANT * Number(gifts)))
    return load.agents
      .filter(({ granted }) => granted !== null)
      .filter(({ id, granted }) => Number(found.get(id)?.balance ?? Number.NaN) !== welcome + Number(granted))
      .map(({ id }) => id)
  }
  const lost = async () => {
    const { rows } = await db.query<{ lost: string }>(
      `SELECT (SELECT count(*) FROM identity.accounts WHERE kind = 'agent')
         - (SELECT count(*) FROM subscriptions.inbox WHERE event_id LIKE 'identity-%') AS lost`,
    )
    return Number(rows[0]?.lost)
  }
  const end = Date.now() + SETTLED_MS
  while ((await sum('outbox')) > 0 && Date.now() < end) await delay(250)
  while (((await lost()) > 0 || (await wrong()).length > 0) && Date.now() < end) await delay(250)
  return {
    unpublished: await sum('outbox'),
    dead: await sum('dead_letter'),
    lostRegistrations: await lost(),
    wrongAgents: await wrong(),
  }
}

/** Returns how many processes say that they lead the schema of each service. `pagesOf`: addresses of their metrics. */
export async function leadersOf(
  services: readonly string[],
  pagesOf: (service: string) => readonly string[],
): Promise<Record<string, number>> {
  const counts = services.map(async (name) => {
    const pages = await Promise.all(pagesOf(name).map(async (page) => (await fetch(page)).text()))
    return [name, pages.filter((text) => /^hub_leader\{[^}]*\} 1$/m.test(text)).length] as const
  })
  return Object.fromEntries(
    (await Promise.all(counts)).filter(([name]) => contracts.find((one) => one.name === name)?.postgres),
  )
}
