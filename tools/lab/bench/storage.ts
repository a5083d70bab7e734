import type pg from 'pg'
import { startProcess } from './processes.ts'
import type { Benchmark } from './result.ts'
import { openStage } from './stage.ts'

const TARGETS = 2_000
const DAYS = 90
const MINUTES_A_DAY = 1_440
/** Days of which single minutes are kept, with the incomplete days at both ends. */
const MINUTE_DAYS = 4
const BUCKETS_A_DAY = 12
const GOAL_GB = 12
/** Copies that make the share of half-empty pages as small as in tables of all targets. */
const COPIES = 20

/** Returns the bytes of one row on disk, with its share of the indexes and of out-of-line values. */
async function bytesOfRow(admin: pg.Client, table: string): Promise<number> {
  await admin.query(`CREATE TABLE many_of_${table} (LIKE ${table} INCLUDING ALL)`)
  await admin.query(
    `INSERT INTO many_of_${table}
     SELECT (jsonb_populate_record(one, jsonb_build_object('instance_id', instance_id + 100000 * copy))).*
     FROM ${table} AS one, generate_series(1, ${COPIES}) AS copy`,
  )
  const { rows } = await admin.query<{ bytes: number }>(
    `SELECT pg_total_relation_size('many_of_${table}')::float8 / count(*) AS bytes FROM many_of_${table}`,
  )
  return rows[0]?.bytes ?? NaN
}

/** The disk space of three months of scans of all targets, extrapolated from a few targets and hours. */
export const storage: Benchmark = async ({ short, dataDir, note }) => {
  await using stage = await openStage(dataDir)
  const [hours, targets] = [short ? 2 : 4, short ? 30 : 60]
  note(`storage: ${targets} targets scanned for ${hours} hours of a stepped clock, then packed`)
  await using scans = await startProcess('scan-hours.ts', {
    ...(stage.prepared.environmentOf('market-data') as Record<string, string>),
    BENCH_HOURS: String(hours),
    BENCH_TARGETS: String(targets),
  })
  await scans.ask({}, 600_000)
  const { admin } = stage
  await admin.query('SET search_path TO market_data')
  const { rows } = await admin.query<{ scans: number; blocks: number }>(
    'SELECT sum(scans)::int AS scans, count(*)::int AS blocks FROM scan_packed',
  )
  const perBlock = (rows[0]?.scans ?? NaN) / (rows[0]?.blocks ?? NaN)
  const [packed, minute, bucket] = [
    (await bytesOfRow(admin, 'scan_packed')) / perBlock,
    await bytesOfRow(admin, 'scan_minute'),
    await bytesOfRow(admin, 'scan_bucket'),
  ]
  const parts = [
    // A partition is dropped once its whole day is older.
    { days: DAYS + 1, a: MINUTES_A_DAY, bytes: packed },
    { days: MINUTE_DAYS, a: MINUTES_A_DAY, bytes: minute },
    { days: DAYS + 1, a: BUCKETS_A_DAY, bytes: bucket },
  ].map((part) => ({ ...part, gb: (TARGETS * part.days * part.a * part.bytes) / 1e9 }))
  const gb = parts.reduce((sum, part) => sum + part.gb, 0)
  const terms = parts.map((part) => `${part.days} d × ${part.a} × ${part.bytes.toFixed(0)} B`).join(' + ')
  return {
    figures: [
      {
        what: `${DAYS} days of ${TARGETS} targets on the disk: packed scans, single minutes of the last days, sums of two hours`,
        goal: `≤ ${GOAL_GB} GB`,
        measured: `${gb.toFixed(1)} GB = ${TARGETS} × (${terms}), from ${rows[0]?.scans ?? 0} scans`,
        met: gb <= GOAL_GB,
        holdsBack:
          'Single minutes are a third of it. Books of the replay stand still for minutes: if no figure followed from the last one, a packed scan would take 30 B.',
      },
    ],
  }
}
