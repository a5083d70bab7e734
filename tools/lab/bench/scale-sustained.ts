import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@svc/servers'
import { nodeOptions } from '@svc/tools/dev/services.ts'
import type pg from 'pg'
import { cpuSeconds, residentMb } from './process-usage.ts'
import { startProcess } from './processes.ts'
import type { Benchmark } from './result.ts'
import { few, fillTargets, openScale, pairsOf, shared } from './scale-world.ts'

const SERVICE = '../../../services/market-data/src/main.ts'
const PROCESSES = 2
/** Longest wait until the lists of all venues are read, and until both processes hold their share. */
const READY_MS = 600_000
const SAMPLE_MS = 1_000

/** Two processes of the service share the venues with all their jobs, minute after minute: what each of them takes. */
export const scaleShared: Benchmark = async ({ short, dataDir, note }) => {
  const load = short ? few : shared
  await using world = await openScale(load, dataDir, note)
  const { admin, servers } = world
  const minutes = short ? 2 : 4
  await using stack = new AsyncDisposableStack()
  const pids: number[] = []
  for (let n = 0; n < PROCESSES; n += 1) {
    const environment = { ...world.environmentOf(world.ids), SVC_PORT: String(await freePort()) }
    pids.push(stack.use(await startProcess(SERVICE, environment, [...nodeOptions, '--import', world.hook])).pid)
  }
  const count = async (statement: string) => (await admin.query<{ n: number }>(statement)).rows[0]?.n ?? 0
  const until = async (what: string, holds: () => Promise<boolean>) => {
    const end = performance.now() + READY_MS
    while (!(await holds())) {
      if (performance.now() > end) throw new Error(`not within ten minutes: ${what}`)
      await delay(SAMPLE_MS)
    }
    note(`market-shared: ${what}`)
  }
  await until(
    'the lists of all venues are read',
    async () => (await count('SELECT count(*)::int AS n FROM market_data.venue WHERE list_seq > 0')) === load.venues,
  )
  await admin.query('SET search_path TO market_data')
  await fillTargets(admin, load)
  await until('both processes hold half of the venues', async () => {
    const held = await heldVenues(admin)
    return held.length === PROCESSES && held.every((one) => one === load.venues / PROCESSES)
  })
  await until(
    'targets are scanned and a board is computed',
    async () =>
      (await count('SELECT count(*)::int AS n FROM scan_minute')) >= load.targets &&
      (await count('SELECT count(*)::int AS n FROM board_snapshot')) > 0,
  )
  const before = [...pids.map((pid) => cpuSeconds([pid])), cpuSeconds(servers)]
  const since = performance.now()
  const mb = pids.map(() => 0)
  while (performance.now() - since < minutes * 60_000) {
    await delay(SAMPLE_MS)
    for (const [place, pid] of pids.entries()) mb[place] = Math.max(mb[place] ?? 0, residentMb([pid]))
  }
  const seconds = (performance.now() - since) / 1_000
  const cores = [...pids.map((pid) => cpuSeconds([pid])), cpuSeconds(servers)].map(
    (after, place) => (after - (before[place] ?? 0)) / seconds,
  )
  const scans = await count(`SELECT coalesce(round(percentile_cont(0.5) WITHIN GROUP (ORDER BY n)), 0)::int AS n FROM (
    SELECT count(*) AS n FROM scan_minute WHERE minute BETWEEN date_trunc('minute', now()) - ${minutes} * interval '1 minute'
      AND date_trunc('minute', now()) - interval '1 minute' GROUP BY minute) AS of_minute`)
  const each = pids.map((_, place) => `${(cores[place] ?? 0).toFixed(2)} cores, ${(mb[place] ?? 0).toFixed(0)} MB`)
  return {
    figures: [
      {
        what: `${load.venues} made-up venues, ${await pairsOf(admin)} pairs, ${load.targets} targets on two processes that share the venues, all jobs, ${minutes} minutes: CPU and greatest memory of each`,
        goal: 'stated',
        measured: `${each.join('; ')}; Postgres ${(cores[PROCESSES] ?? 0).toFixed(2)} cores; ${scans} scans a minute`,
        met: null,
        holdsBack: 'One of the two also computes the board, the crises and the arbitrage of all venues.',
      },
    ],
  }
}

/** Numbers of venues that sessions hold by their locks, most first. */
async function heldVenues(admin: pg.Client): Promise<number[]> {
  const { rows } = await admin.query<{ held: number }>(
    `SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND mode = 'ExclusiveLock'
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) GROUP BY pid ORDER BY 1 DESC`,
  )
  return rows.map(({ held }) => held)
}
