import { cpuSeconds } from './process-usage.ts'
import { startProcess, type Child } from './processes.ts'
import type { Benchmark } from './result.ts'
import type { ScalePass } from './scale-pass.ts'
import { few, fillTargets, openScale, pairsOf, whole, type Admin, type Load } from './scale-world.ts'

const HOURS = 2

/** A hundred venues of a thousand pairs and ten thousand targets: the CPU and memory of each job over all of them. */
export const scale: Benchmark = async ({ short, dataDir, note }) => {
  const load = short ? few : whole
  await using world = await openScale(load, dataDir, note)
  const { admin, servers } = world
  await using one = await startProcess('scale-pass.ts', world.environmentOf(world.ids), ['--import', world.hook])
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
  await fillTargets(admin, load)
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
  const pairs = await pairsOf(admin)
  return outcome(load, pairs, { lists, quotes, books, candles, scans, board, crisis, arbitrage })
}

type Measured = ScalePass & { readonly stored: number }

/** A pass waits for the quotes of its minute: if the minute ends between them, the next one is tried. */
async function arbitrageOf(admin: Admin, pass: (name: string, asked: object) => Promise<Measured>, { venues }: Load) {
  for (;;) {
    await pass('observeMarkets', { seconds: 120, until: venues, later: 1 })
    const matched = await pass('matchArbitrage', { seconds: 240, until: 0 })
    const { rows } = await admin.query<{ n: number }>('SELECT count(*)::int AS n FROM arbitrage_pass')
    if ((rows[0]?.n ?? 0) > 0) return matched
  }
}

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
  const zero: Measured = { done: 0, cpu: 0, wall: 0, mb: 0, turnMs: 0, stored: 0 }
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
        measured: `${peak.toFixed(0)} MB`,
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
      {
        what: 'The same, the longest turn of the event loop while crises are judged',
        goal: '< 50 ms',
        measured: `${of('crisis').turnMs.toFixed(0)} ms`,
        met: of('crisis').turnMs < 50,
        holdsBack: 'Full collections of the heap fall into a turn; wall time, so another process adds to it.',
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
