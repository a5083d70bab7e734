import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { consumerOf, streamOf, streamOfBucket } from '@svc/contract'
import { openBus, openFiles, openLog, PROVISIONER, type Bus } from '@svc/service'
import type { Servers } from '@svc/servers'
import { openStage } from '#demo/chain-stage.ts'
import { firstDay, type RegisteredAgent } from '#demo/first-day.ts'
import { mandateDay } from '#demo/mandate/mandate-day.ts'
import { createWalk } from '#demo/walk.ts'
import type { Prepared } from '#dev/platform.ts'
import { ask } from '#flow/client.ts'
import { registerAgent, signIn } from '#flow/people.ts'

export const REPORTS = { service: 'research-reports', bucket: 'reports', stream: streamOfBucket('reports') } as const
const FILES = 3
/** More than one piece of a copy. */
const FILE_BYTES = 300_000
const PAUSE_MS = 600_000

/** Connects to NATS as one of its users. */
export async function connectAs(servers: Servers, name: string): Promise<Bus> {
  const seed = servers.secrets.nkey(name).seed
  return openBus({ url: servers.nats.url, name, seed, log: openLog(name, 'silent') })
}

/** Runs work with a connection as a user of NATS. */
export async function withBus<T>(servers: Servers, name: string, work: (bus: Bus) => Promise<T>): Promise<T> {
  const bus = await connectAs(servers, name)
  try {
    return await work(bus)
  } finally {
    await bus.close()
  }
}

/** A mandate that was played to its end, and the file of its record. */
export interface LoadedMandate {
  readonly publicId: string
  readonly kept: string
}

/** What was loaded. */
export interface Loaded {
  readonly agent: RegisteredAgent
  /** Null without a chain. */
  readonly mandate: LoadedMandate | null
  /** SHA-256 of the files of reports by name. */
  readonly files: ReadonlyMap<string, string>
}

/** The demos print each step. */
async function withoutPrinting<T>(work: () => Promise<T>): Promise<T> {
  const { log } = console
  console.log = () => {}
  try {
    return await work()
  } finally {
    console.log = log
  }
}

/** Fills a platform: an agent's first day with money and a tier, a feed, files, and on a chain a mandate to its record. */
export async function load(url: string, platform: Prepared, folder: string): Promise<Loaded> {
  const { chain, servers, house } = platform
  const walk = createWalk(url)
  return withoutPrinting(async () => {
    const agent = await firstDay(walk, house)
    await walk.ask('/feeds/subscribe', 200, { key: agent.key, body: { feed_key: 'priority_pool' } })
    const played = chain && (await mandateDay(openStage(chain, walk), chain.wallets, agent, folder))
    const files = await withBus(servers, REPORTS.service, async (bus) => {
      const store = await openFiles(bus, REPORTS.bucket)
      const made = await Promise.all(
        Array.from({ length: FILES }, (_, index) => store.put(`drill-${index}`, randomBytes(FILE_BYTES))),
      )
      return new Map(made.map(({ name, sha256 }) => [name, sha256]))
    })
    const mandate = played && { publicId: played.publicId, kept: join(played.folder, 'record.ndjson') }
    return { agent, mandate, files }
  })
}

const CONSUMER = { stream: streamOf('mining'), durable: consumerOf('subscriptions', 'payoutReleased') }

/** Stops or resumes the delivery of payouts to the ledger. */
export const payoutsWait = (servers: Servers, wait: boolean): Promise<void> =>
  withBus(servers, PROVISIONER, async ({ connection }) => {
    const { consumers } = await jetstreamManager(connection, { checkAPI: false })
    const { stream, durable } = CONSUMER
    await (wait ? consumers.pause(stream, durable, new Date(Date.now() + PAUSE_MS)) : consumers.resume(stream, durable))
  })

/** Pairs of the replay exchange; the first day has taken fields of one of them. */
const PAIRS = ['BTC', 'ETH', 'SOL', 'XRP', 'ADA', 'DOGE', 'DOT', 'LTC', 'LINK', 'ATOM']

/** Agents mine a field each, and a reviewer approves it; returns the ids of the submissions. */
export async function mine(url: string, { house }: Prepared, count: number): Promise<readonly string[]> {
  const { token } = await signIn(url, house.reviewers[0])
  const page = 'https://example.com/'
  const entries = [{ field_name: 'website', field_value: page, evidence_url: page }]
  const ids: string[] = []
  for (const base of PAIRS) {
    if (ids.length === count) return ids
    const { key } = await registerAgent(url, 'miner')
    const body = { exchange: 'binance', symbol: `${base}/USDT`, entries }
    const { body: submitted } = await ask(url, '/agent/mining/submit', { key, body })
    const [id] = submitted.submission_ids ?? []
    if (id === undefined) continue
    const { status } = await ask(url, `/admin/mining/submissions/${id}/review`, {
      token,
      body: { decision: 'approve' },
    })
    if (status === 200) ids.push(id)
  }
  throw new Error(`only ${ids.length} of ${count} fields could be mined`)
}
