import { setTimeout as delay } from 'node:timers/promises'
import { researchReports } from '@svc/contracts/research-reports'
import { clientOf, openBus, openLog } from '@svc/service'
import type pg from 'pg'
import { seedScans } from './research-seed.ts'
import type { Benchmark } from './result.ts'
import { openStage, startServices } from './stage.ts'
import { median } from './statistics.ts'

const TARGETS = 20
const DAYS = 21
const caller = {
  account_id: 1,
  kind: 'agent',
  wallet: null,
  roles: [],
  scopes: ['read', 'write'],
  tier: 2,
  key_id: null,
  session_id: null,
} as const
const pairOf = (place: number) => ({ exchange: 'venue', symbol: `T${(place % TARGETS) + 1}/USDT` })

/** Returns the milliseconds that statements have run in the platform's database; sessions report about once a second. */
async function activeMs(admin: pg.Client): Promise<number> {
  await delay(2_500)
  const { rows } = await admin.query<{ ms: number }>(
    `SELECT active_time AS ms FROM pg_stat_database WHERE datname = 'platform'`,
  )
  return rows[0]?.ms ?? NaN
}

/** Research of three weeks of a target, and its reports as files. */
export const research: Benchmark = async ({ short, dataDir, note }) => {
  await using stage = await openStage(dataDir)
  await using parts = new AsyncDisposableStack()
  note(`research: ${TARGETS} targets with a scan in every minute of ${DAYS} days`)
  await seedScans(stage.admin, TARGETS, DAYS, new Date())
  parts.use(
    await startServices(stage, {
      names: ['market-data', 'research-reports'],
      // Buckets are stored by a process with venues alone.
      settings: { MARKET_VENUES: 'binance' },
    }),
  )
  const { servers, environmentOf } = stage.prepared
  const bus = await openBus({
    url: servers.nats.url,
    name: 'gateway',
    seed: environmentOf('gateway')['SVC_NATS_SEED'] ?? null,
    log: openLog('gateway', 'silent'),
  })
  parts.defer(() => bus.close())
  const ask = clientOf(bus, 'gateway', researchReports)
  const bucketed = async () => {
    const { rows } = await stage.admin.query<{ n: string }>('SELECT count(*) AS n FROM market_data.scan_bucket')
    return Number(rows[0]?.n) >= TARGETS * (DAYS * 12 - 1)
  }
  for (let tries = 0; !(await bucketed()); tries += 1) {
    if (tries === 300) throw new Error('market-data has not stored the buckets of the scans within 150 seconds.')
    await delay(500)
  }

  const calls = short ? 60 : 200
  const timed = async (call: () => Promise<unknown>) => {
    const started = performance.now()
    await call()
    return performance.now() - started
  }
  for (let n = 0; n < 20; n += 1) await ask.readPairResearch(pairOf(n), { caller })
  const idleFrom = [performance.now(), await activeMs(stage.admin)] as const
  await delay(5_000)
  const idleTo = [performance.now(), await activeMs(stage.admin)] as const
  const idlePerMs = (idleTo[1] - idleFrom[1]) / (idleTo[0] - idleFrom[0])
  const whole: number[] = []
  for (let n = 0; n < calls; n += 1) whole.push(await timed(() => ask.readPairResearch(pairOf(n), { caller })))
  const end = [performance.now(), await activeMs(stage.admin)] as const
  const inDatabase = (end[1] - idleTo[1] - idlePerMs * (end[0] - idleTo[0])) / calls

  const reports: number[] = []
  for (let n = 0; n < (short ? 20 : 40); n += 1) {
    const lang = n % 2 === 0 ? 'ko' : 'en'
    const version = Math.floor(n / TARGETS) % 2 === 0 ? 'v2' : 'v1'
    reports.push(await timed(() => ask.makeReport({ ...pairOf(n), lang, version }, { caller })))
  }
  const [first = NaN, ...further] = reports
  const ms = (value: number) => `${value.toFixed(1)} ms`
  return {
    figures: [
      {
        what: `Research of ${DAYS} days of one target, time in the database`,
        goal: '≤ 20 ms',
        measured: `${ms(inDatabase)} (whole call ${ms(median(whole))})`,
        met: inDatabase <= 20,
        holdsBack: 'Buckets of two hours are stored once; what is left is to read and carry 253 of them.',
      },
      {
        what: 'First PDF report of a process, whole call (Korean, v2, four pages)',
        goal: '≤ 500 ms',
        measured: ms(first),
        met: first <= 500,
        holdsBack: 'The thread is ready; its code for the pages runs for the first time.',
      },
      {
        what: 'Further PDF reports, whole call, median',
        goal: '≤ 150 ms',
        measured: `${ms(median(further))} (greatest ${ms(Math.max(...further))})`,
        met: median(further) <= 150,
        holdsBack: 'Laying out text and compressing.',
      },
    ],
  }
}
