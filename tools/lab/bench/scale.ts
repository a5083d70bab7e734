import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contractsWithVenues } from '@svc/testing/contracts-with-venues'
import { openVenues } from '@svc/tools/dev/venues.ts'
import { cpuSeconds } from './process-usage.ts'
import { startProcess, type Child } from './processes.ts'
import type { Benchmark } from './result.ts'
import type { ScalePass } from './scale-pass.ts'
import { openStage } from './stage.ts'

/** Tokens of the replay exchange of which Gate lists about a thousand pairs. */
const TOKENS = 1_180
const HOURS = 2

interface Load {
  readonly venues: number
  readonly targets: number
}
const whole: Load = { venues: 100, targets: 10_000 }
const few: Load = { venues: 10, targets: 1_000 }

/**
 * A hundred venues of a thousand pairs and ten thousand targets: the CPU and memory of each job over all of them. The venues
 * are made up: files like Gate's that are read from one replay exchange with a synthetic market.
 */
export const scale: Benchmark = async ({ short, dataDir, note }) => {
  const load = short ? few : whole
  const ids = Array.from({ length: load.venues }, (_, n) => `venue${String(n).padStart(2, '0')}`)
  const gate = readFileSync(fileURLToPath(import.meta.resolve('@svc/contracts/market-data/venues/gate')), 'utf8')
  const hook = contractsWithVenues(join(dataDir, 'contracts'), Object.fromEntries(ids.map((id) => [id, gate])))
  await using stage = await openStage(dataDir)
  await using cleanup = new AsyncDisposableStack()
  const { admin, prepared } = stage
  const replay = await openVenues({ kind: 'replay', tokens: TOKENS, limits: false }, note)
  cleanup.defer(() => replay.stop())
  const address = replay.environment['MARKET_VENUE_BASE_URL_GATE'] ?? ''
  const open = (venues: readonly string[]) =>
    startProcess(
      'scale-pass.ts',
      {
        ...(prepared.environmentOf('market-data') as Record<string, string>),
        ...Object.fromEntries(venues.map((id) => [`MARKET_VENUE_BASE_URL_${id.toUpperCase()}`, address])),
        MARKET_VENUES: venues.join(','),
        MARKET_LOCAL_BUDGET_FACTOR: '1000',
        MARKET_VENUE_TIMEOUT_MS: '60000',
      },
      ['--import', hook],
    )
  await using one = await open(ids)
  const { postgres } = prepared.servers
  const servers = [postgres].flatMap((server) => server.pid() ?? [])
  const passOf = (child: Child) => async (name: string, asked: object) => {
    const before = cpuSeconds(servers)
    const pass = (await child.ask({ job: name, seconds: 60, ...asked }, 600_000)) as ScalePass
    const stored = cpuSeconds(servers) - before
    note(
      `scale: ${name} ${pass.done} in ${pass.wall.toFixed(1)} s: ${pass.cpu.toFixed(2)} s of CPU, ${stored.toFixed(2)} s in Postgres, ${pass.mb.toFixed(0)} MB`,
    )
    return { ...pass, stored }
  }
  const pass = passOf(one)
  const lists = await pass('listMarkets', { seconds: 240, until: load.venues })
  await pass('observeMarkets', { seconds: 120, until: load.venues })
  const quotes = await pass('observeMarkets', { seconds: 120, until: load.venues, later: 1 })
  const books = await pass('rotateBooks', { seconds: 15, until: Infinity })
  const candles = await pass('readCandles', { seconds: 10, until: Infinity })
  await admin.query('SET search_path TO market_data')
  await fill(admin, load)
  await pass('keepScans', {})
  const scans = await pass('scanTargets', { seconds: 120, until: load.targets })
  note(`scale: ${HOURS} hours of observations of every pair`)
  await admin.query(HISTORY)
  await admin.query('ANALYZE')
  await pass('computeBoard', { seconds: 240, later: 1 })
  const board = await pass('computeBoard', { seconds: 240, later: 5 })
  await pass('observeMarkets', { seconds: 120, until: load.venues, later: 1 })
  await pass('watchCrisis', { seconds: 240, judge: 3 })
  await pass('observeMarkets', { seconds: 120, until: load.venues, later: 1 })
  const crisis = await pass('watchCrisis', { seconds: 240 })
  const arbitrage = await arbitrageOf(admin, pass, load)
  await using part = await open(ids.slice(0, load.venues / 2))
  const half = await passOf(part)('listMarkets', { seconds: 240, until: load.venues / 2 })
  const pairs = await pairsOf(admin)
  return outcome(load, pairs, { lists, quotes, books, candles, scans, board, crisis, arbitrage, half })
}

type Admin = Awaited<ReturnType<typeof openStage>>['admin']
type Measured = ScalePass & { readonly stored: number }

async function fill(admin: Admin, { targets }: Load): Promise<void> {
  await admin.query('INSERT INTO target_account (account_id, tier) SELECT a, 2 FROM generate_series(1, 201) AS a')
  await admin.query(
    `INSERT INTO target (account_id, token_id, status, added_at)
     SELECT 1 + row_number() OVER (ORDER BY md5(token_id)) / 50, token_id, 'active', now()
     FROM token JOIN token_instance USING (instance_id, token_id) WHERE trading = 'trading' ORDER BY md5(token_id) LIMIT ${targets}`,
  )
}

/** A pass waits for the quotes of its minute: if the minute ends between them, the next one is tried. */
async function arbitrageOf(admin: Admin, pass: (name: string, asked: object) => Promise<Measured>, { venues }: Load) {
  for (;;) {
    await pass('observeMarkets', { seconds: 120, until: venues, later: 1 })
    const matched = await pass('matchArbitrage', { seconds: 240, until: 0 })
    const { rows } = await admin.query<{ n: number }>('SELECT count(*)::int AS n FROM arbitrage_pass')
    if ((rows[0]?.n ?? 0) > 0) return matched
  }
}

const pairsOf = async (admin: Admin) =>
  (await admin.query<{ n: number }>("SELECT count(*)::int AS n FROM token_instance WHERE trading = 'trading'")).rows[0]
    ?.n ?? 0

/** The newest observation of each venue, for the two hours before it, with a book of each pair once in five minutes. */
const HISTORY = `
  INSERT INTO observation (exchange, minute, instance_ids, price, spread_bps, volume_24h_usd, change_24h_pct, depth_2pct_usd,
    depth_truncated)
  SELECT exchange, minute - ago * interval '1 minute', instance_ids, price, spread_bps, volume_24h_usd, change_24h_pct,
    ARRAY(SELECT CASE WHEN id % 5 = ago % 5 THEN 1e5 END FROM unnest(instance_ids) AS id),
    ARRAY(SELECT CASE WHEN id % 5 = ago % 5 THEN false END FROM unnest(instance_ids) AS id)
  FROM (SELECT DISTINCT ON (exchange) * FROM observation ORDER BY exchange, minute DESC) AS newest,
    generate_series(2, ${HOURS * 60}) AS ago
  ON CONFLICT DO NOTHING`

function outcome(load: Load, pairs: number, passes: Readonly<Record<string, Measured>>) {
  const zero: Measured = { done: 0, cpu: 0, wall: 0, mb: 0, stored: 0 }
  const of = (name: string) => passes[name] ?? zero
  /** Seconds of CPU a minute: of a whole pass every so many minutes, or of a number of items a minute. */
  const each = (name: string, minutes: number) => [of(name).cpu / minutes, of(name).stored / minutes] as const
  const items = (name: string, perMinute: number) => {
    const { cpu, stored, done } = of(name)
    return [(cpu / Math.max(1, done)) * perMinute, (stored / Math.max(1, done)) * perMinute] as const
  }
  const rows: (readonly [string, readonly [number, number]])[] = [
    ['lists, every 5 minutes', each('lists', 5)],
    ['quotes, every minute', each('quotes', 1)],
    [`books of the rotation, ${Math.round(pairs / 5)} a minute`, items('books', pairs / 5)],
    [`candles, ${Math.round(pairs / 60)} a minute`, items('candles', pairs / 60)],
    [`scans, ${load.targets} a minute`, items('scans', load.targets)],
    ['board, every 5 minutes', each('board', 5)],
    ['crises, every minute', each('crisis', 1)],
    ['arbitrage, every minute', each('arbitrage', 1)],
  ]
  const service = rows.reduce((sum, [, [cpu]]) => sum + cpu, 0)
  const stored = rows.reduce((sum, [, [, cpu]]) => sum + cpu, 0)
  const peak = Math.max(...Object.values(passes).map((one) => one.mb))
  const shape = `${load.venues} made-up venues, ${pairs} pairs, ${load.targets} targets`
  return {
    figures: [
      {
        what: `${shape}: CPU of market-data a minute, over all jobs`,
        goal: 'stated',
        measured: `${service.toFixed(1)} s = ${(service / 60).toFixed(2)} cores, and ${(stored / 60).toFixed(2)} of Postgres`,
        met: null,
        holdsBack: 'The work of ccxt for each answer. Venues are shared by any number of processes.',
      },
      {
        what: 'The same, memory of one process that reads all venues and computes the board',
        goal: 'stated',
        measured: `${peak.toFixed(0)} MB; ${of('half').mb.toFixed(0)} MB with the lists of half of the venues`,
        met: null,
        holdsBack: "ccxt's objects for each market.",
      },
      {
        what: 'The same, the longest of the jobs that only one process runs',
        goal: '< 60 s, the board < 300 s',
        measured: `board ${of('board').wall.toFixed(1)} s, crises ${of('crisis').wall.toFixed(1)} s, arbitrage ${of('arbitrage').wall.toFixed(1)} s`,
        met: of('board').wall < 300 && of('crisis').wall < 60 && of('arbitrage').wall < 60,
        holdsBack: 'Every pair is read from Postgres and written back once a board.',
      },
    ],
    tables: [
      {
        title: `CPU a minute of ${shape}`,
        head: ['work', 'service', 'Postgres'],
        rows: rows.map(([what, [cpu, db]]) => [what, `${cpu.toFixed(1)} s`, `${db.toFixed(1)} s`]),
      },
    ],
  }
}
