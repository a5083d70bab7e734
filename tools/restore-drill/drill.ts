import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, promisify } from 'node:util'
import { schemaOf } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { openFiles, PROVISIONER } from '@svc/service'
import { freePort, startServers, withClient, type Servers } from '@svc/servers'
import { eventually } from '@svc/testing'
import { natsUsersOf, redisUsersOf } from '#dev/access.ts'
import type { LocalChain } from '#dev/chain.ts'
import { DAILY_LIMITS_ONLY } from '#dev/no-limits.ts'
import { preparePlatform, type Prepared } from '#dev/platform.ts'
import { startInProcess, type Running } from '#dev/services.ts'
import { QUIET_REPLAY } from '#dev/venues.ts'
import { ask } from '#flow/client.ts'
import { registerAgent } from '#flow/people.ts'
import { loadDuring } from '#manifest-runner/load.ts'
import { verifyRecord } from '../verify-record/verify.ts'
import { backupStream, restoreStream } from '#dev/stream-copies.ts'
import { load, mine, payoutsWait, REPORTS, withBus, type Loaded, type LoadedMandate } from './load.ts'
import { PATIENCE } from './patience.ts'
import { compare, databaseOf, nameMomentWithPicture, pictureOf, type Comparison, type Picture } from './picture.ts'
import { baseBackup, recovered, restoreCluster, startArchiving } from './postgres.ts'

/** What a drill found. */
export interface Drilled {
  /** Seconds between the moment and the destruction: what is done in them is lost. */
  readonly rpoSec: number
  /** Seconds of the log that the archive did not have when everything was destroyed. */
  readonly notArchivedSec: number
  /** Seconds between the destruction and the first answered write. */
  readonly rtoSec: number
  /** Agents whose registration was answered and that the restored platform does not know. */
  readonly lostAgents: number
  readonly comparisons: readonly Comparison[]
}

export interface DrillOptions {
  /** An empty folder. */
  readonly folder: string
  /** Leaves out the chain and the mandate, which take half of the time. */
  readonly short: boolean
  readonly say: (line: string) => void
}

const MOMENT = 'drill'
const LATER_MS = 4_000
/** In production `archive_timeout` is longer. */
const ARCHIVE_SEC = 1
/** Services that the short drill starts. */
const WITHOUT_CHAIN = ['identity', 'subscriptions', 'mining', 'market-data', 'research-reports', 'gateway']
const SETUP = fileURLToPath(new URL('../dev/setup.ts', import.meta.url))
/** Payouts that are on their way to the ledger at the moment. */
const ON_THE_WAY = 3

const same = (what: string, isSame: boolean, found: unknown): Comparison => ({
  what,
  differs: isSame ? null : `found ${JSON.stringify(found)}`,
})
const rows = (servers: Servers, text: string, values: readonly unknown[] = []) =>
  withClient(databaseOf(servers.postgres), async (client) => (await client.query(text, [...values])).rows)

/** Loads a platform, backs it up, destroys it, restores it to a moment, and compares it with a picture of the moment. */
export async function drill({ folder, short, say }: DrillOptions): Promise<Drilled> {
  const dataDir = join(folder, 'platform')
  const backup = { base: join(folder, 'base'), archive: join(folder, 'archive'), files: join(folder, 'files') }
  const began = Date.now()
  const note = (text: string) => say(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`)
  const first = await start(dataDir, !short, async ({ postgres }) => startArchiving(postgres, backup, ARCHIVE_SEC))
  let before: Before
  try {
    before = await work(first, { backup, folder, note })
    note('everything is destroyed: Postgres, the streams with the files, Redis')
    const { postgres, nats, redis } = first.platform.servers
    await Promise.all([postgres.kill(), nats.kill(), redis.kill()])
  } finally {
    await first.stop()
  }
  for (const lost of ['postgres', 'nats']) rmSync(join(dataDir, lost), { recursive: true })
  const destroyed = Date.now()

  restoreCluster(join(dataDir, 'postgres'), backup, MOMENT)
  const servers = await startServers({ dataDir, natsUsers: natsUsersOf, redisUsers: redisUsersOf, durable: false })
  let comparisons: readonly Comparison[]
  try {
    await recovered(servers.postgres)
    note('Postgres is at the moment')
    comparisons = compare(before.picture, await pictureOf(servers.postgres))
    await withBus(servers, PROVISIONER, (bus) => restoreStream(bus, REPORTS.stream, backup.files))
    note(await runSetup(servers, 'after-restore'))
  } finally {
    await servers.stop()
  }

  const again = await start(dataDir, !short)
  try {
    await eventually(() => registerAgent(again.url, 'first after the restore'), PATIENCE)
    const rtoSec = (Date.now() - destroyed) / 1000
    note('services answer, and write')
    const found = await compareWorking(again, before)
    return {
      rpoSec: (before.killedAt - before.picture.at.getTime()) / 1000,
      notArchivedSec: (before.killedAt - before.archivedAt) / 1000,
      rtoSec,
      lostAgents: await lost(again, before.agents),
      comparisons: [...comparisons, ...found],
    }
  } finally {
    await again.stop()
  }
}

interface Working {
  readonly url: string
  readonly platform: Prepared
  stop(): Promise<void>
}

async function start(
  dataDir: string,
  chain: boolean,
  beforeServices?: (servers: Servers) => Promise<void>,
): Promise<Working> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const platform = await preparePlatform({ dataDir, publicUrl: url, durable: false, chain, venues: QUIET_REPLAY })
  let services: Running | null = null
  const stop = async () => {
    await services?.stop()
    await platform.servers.stop()
  }
  try {
    await beforeServices?.(platform.servers)
    services = await startInProcess(
      platform,
      () => ({
        SVC_PORT: String(port),
        ...DAILY_LIMITS_ONLY,
        SVC_LOG_LEVEL: 'silent',
      }),
      chain ? {} : { services: WITHOUT_CHAIN },
    )
    return { url, platform, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** What is known of the platform before it was destroyed. */
interface Before {
  readonly loaded: Loaded
  readonly picture: Picture
  /** Submissions that were approved before the moment and paid after it, in the history that is lost. */
  readonly onTheWay: readonly string[]
  /** Agents whose registration was answered while the platform was backed up and until its end. */
  readonly agents: readonly number[]
  readonly killedAt: number
  readonly archivedAt: number
}

interface Surroundings {
  readonly backup: { readonly base: string; readonly archive: string; readonly files: string }
  readonly folder: string
  readonly note: (text: string) => void
}

/** Loads the platform, backs it up while people go on, names the moment, and goes on for a while. */
async function work({ url, platform }: Working, { backup, folder, note }: Surroundings): Promise<Before> {
  const { servers, house } = platform
  note('the platform works')
  const loaded = await load(url, platform, folder)
  note('the platform is loaded')
  const facts: Partial<Pick<Before, 'picture' | 'onTheWay' | 'killedAt' | 'archivedAt'>> = {}
  const busy = await loadDuring(url, house.admin, ['gateway', 'identity', 'subscriptions'], async () => {
    await baseBackup(servers.postgres, servers.folder.file('postgres'), backup)
    await withBus(servers, PROVISIONER, (bus) => backupStream(bus, REPORTS.stream, backup.files))
    note('base backup and files are copied; people go on')
    await payoutsWait(servers, true)
    const onTheWay = await mine(url, platform, ON_THE_WAY)
    const released = () => rows(servers, `SELECT FROM mining.payout WHERE status = 'released'`)
    await eventually(async () => (await released()).length === ON_THE_WAY, PATIENCE)
    await eventually(async () => (await rows(servers, 'SELECT FROM mining.outbox LIMIT 1')).length === 0, PATIENCE)
    const picture = await nameMomentWithPicture(servers.postgres, MOMENT)
    note(`the moment; ${ON_THE_WAY} payouts are on their way to the ledger`)
    await payoutsWait(servers, false)
    await eventually(async () => (await released()).length === 0, PATIENCE)
    await delay(LATER_MS)
    const archived = () =>
      rows(servers, 'SELECT last_archived_time AS at FROM pg_stat_archiver WHERE last_archived_time > $1', [picture.at])
    const last = await eventually(async () => {
      const [found] = await archived()
      if (found === undefined) throw new Error('the archive does not have the moment yet')
      return found
    }, PATIENCE)
    Object.assign(facts, { picture, onTheWay, killedAt: Date.now(), archivedAt: Number(last['at']) })
  })
  const { picture, onTheWay, killedAt, archivedAt } = facts
  if (picture === undefined || onTheWay === undefined) throw new Error('the load ended early')
  const agents = busy.agents.map(({ id }) => id)
  return { loaded, picture, onTheWay, killedAt: killedAt ?? 0, archivedAt: archivedAt ?? 0, agents }
}

/** Runs a step of the product in a process of its own, as in a cluster; returns what it says. */
async function runSetup({ postgres, nats, secrets }: Servers, step: string): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    POSTGRES_URL: postgres.url,
    NATS_URL: nats.url,
    SETUP_NATS_SEED: secrets.nkey(PROVISIONER).seed,
  }
  const { stdout } = await promisify(execFile)(process.execPath, [SETUP, step], { env })
  return `${step}: ${stdout.trim()}`
}

/** Waits for what a comparison then looks for; one that never comes is a difference. */
const within = (check: () => Promise<boolean>): Promise<unknown> => eventually(check, PATIENCE).catch(() => null)

const ISSUED = `SELECT reference FROM subscriptions.ledger_transfer WHERE kind = 'mining_reward' AND reference = ANY ($1)`

/** Compares what the restored platform does and answers. */
async function compareWorking({ url, platform }: Working, before: Before): Promise<readonly Comparison[]> {
  const { servers } = platform
  const { loaded, onTheWay, picture } = before
  const unsent = contracts
    .filter(({ postgres }) => postgres)
    .map(({ name }) => `SELECT id FROM ${schemaOf(name)}.outbox`)
    .join(' UNION ALL ')
  await within(async () => (await rows(servers, unsent)).length === 0)
  await within(async () => (await rows(servers, ISSUED, [onTheWay])).length >= onTheWay.length)
  const paid = (await rows(servers, ISSUED, [onTheWay])).map((row) => String(row['reference']))
  const payouts = await rows(
    servers,
    `SELECT p.submission_id FROM mining.payout p LEFT JOIN subscriptions.ledger_transfer t
       ON t.kind = 'mining_reward' AND t.reference = p.submission_id
     GROUP BY 1 HAVING count(t.reference) <> 1`,
  )
  const ledger = await withClient(databaseOf(servers.postgres), async (client) => {
    await client.query('SET search_path TO subscriptions')
    return (await client.query<Record<string, string>>('SELECT total, unequal, negative FROM ledger_check()')).rows[0]
  })
  const { body: balance } = await ask(url, '/subscriptions/cherries/balance', { key: loaded.agent.key })
  const [account] = await rows(
    servers,
    `SELECT id FROM subscriptions.ledger_account WHERE kind = 'user' AND holder_id = $1`,
    [loaded.agent.id],
  )
  const wanted = Number(picture.balances.get(String(account?.['id'])))
  return [
    same(`${onTheWay.length} payouts that were on their way are booked once each`, isSet(paid, onTheWay), paid),
    same('every payout of mining is booked once', payouts.length === 0, payouts),
    same(
      'the ledger proves itself: total 0, none unequal, none negative',
      ['total', 'unequal', 'negative'].every((name) => ledger?.[name] === '0'),
      ledger,
    ),
    same('an agent reads its balance of the moment with its key', balance?.balance === wanted, balance),
    ...(loaded.mandate === null ? [] : [await compareRecord(url, loaded.agent.key, loaded.mandate)]),
    await compareFiles(servers, loaded),
    ...(platform.chain === null ? [] : [await compareChain(platform.chain, servers)]),
  ]
}

const isSet = (found: readonly string[], wanted: readonly string[]) =>
  JSON.stringify(found.toSorted()) === JSON.stringify(wanted.toSorted())

/** The record that is downloaded now must begin with the one that was downloaded before the backup. */
async function compareRecord(url: string, key: string, { publicId, kept }: LoadedMandate): Promise<Comparison> {
  const { entries } = verifyRecord([readFileSync(kept, 'utf8')], null)
  const answer = await fetch(new URL(`/hub/mandates/${publicId}/record/export`, url), {
    headers: { 'x-svc-user-key': key },
  })
  const text = await answer.text()
  const now = answer.ok ? verifyRecord([text], null).entries : []
  const begins = isDeepStrictEqual(now.slice(0, entries.length), entries)
  return same(
    `the record of a mandate verifies and begins with the ${entries.length} entries that were downloaded before`,
    begins,
    answer.ok ? now.length : text,
  )
}

async function compareFiles(servers: Servers, { files }: Loaded): Promise<Comparison> {
  const found = await withBus(servers, REPORTS.service, async (bus) => {
    const store = await openFiles(bus, REPORTS.bucket)
    const digests: string[] = []
    for (const name of files.keys()) {
      const hash = createHash('sha256')
      for await (const piece of (await store.read(name)) ?? []) hash.update(piece)
      digests.push(hash.digest('hex'))
    }
    return digests
  })
  return same(`${files.size} files of reports`, isSet(found, [...files.values()]), found)
}

/** The chain was not destroyed: the restored cursor must come to its head again. */
async function compareChain({ chain }: LocalChain, servers: Servers): Promise<Comparison> {
  const head = Number(await chain.client.getBlockNumber())
  const behind = () =>
    rows(servers, 'SELECT stream, next_block FROM chain_indexer.cursor WHERE next_block <= $1', [head - 3])
  await within(async () => (await behind()).length === 0)
  const found = await behind()
  return same('the cursors of the chain are at its head again', found.length === 0, found)
}

async function lost({ platform }: Working, agents: readonly number[]): Promise<number> {
  const found = await rows(platform.servers, 'SELECT account_id FROM identity.accounts WHERE account_id = ANY ($1)', [
    agents,
  ])
  return agents.length - found.length
}
