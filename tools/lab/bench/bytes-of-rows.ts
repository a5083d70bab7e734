import { createHash } from 'node:crypto'
import type pg from 'pg'
import { fill } from './flat.ts'
import { keys } from './hop/keys.ts'
import { ENTRIES_EACH, seedMandates } from './mandates-seed.ts'
import type { Outcome } from './result.ts'
import type { Stage } from './stage.ts'

const ROWS = 20_000
const MARKS_EACH = 4
/** Far from rows that something else made. */
const FIRST = 1_000_000

/** What is counted: its rows are those of the first table, its bytes those of all. */
const COUNTED: readonly (readonly [what: string, each: number, tables: readonly string[]])[] = [
  [
    'an agent: account, key, ledger account',
    1,
    ['identity.accounts', 'identity.api_keys', 'subscriptions.ledger_account'],
  ],
  ['a transfer of the ledger', 1, ['subscriptions.ledger_transfer']],
  ['a mandate: limits, signed terms, vault', 1, ['mandates.mandate', 'mandates.signed_terms', 'mandates.vault']],
  ['an entry of a record', ENTRIES_EACH, ['mandates.record_entry']],
  ['a mark of worth', MARKS_EACH, ['mandates.worth']],
]

/** Bytes that agents, mandates and what they do take on disk, with their indexes. */
export async function bytesOfRows(stage: Stage): Promise<NonNullable<Outcome['tables']>[number]> {
  const { admin } = stage
  const before = await sizes(admin)
  await fill(stage, FIRST, FIRST + ROWS)
  const people = keys.slice(0, 64).map((key, n) => ({ id: FIRST + n, wallet: `0x${sha256(key).slice(0, 40)}` }))
  await seedMandates(admin, { agents: people, owners: people }, FIRST, FIRST + ROWS)
  const after = await sizes(admin)
  return {
    title: 'Disk of agents and mandates',
    head: ['what', 'bytes with its indexes'],
    rows: COUNTED.map(([what, each], place) => [
      what,
      (((after[place] ?? NaN) - (before[place] ?? NaN)) / (ROWS * each)).toFixed(0),
    ]),
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Partitions count for their table. */
async function sizes(admin: pg.Client): Promise<readonly number[]> {
  const found: number[] = []
  for (const [, , tables] of COUNTED) {
    const { rows } = await admin.query<{ bytes: number }>(
      `SELECT sum(coalesce((SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree(name::regclass)),
         pg_total_relation_size(name::regclass)))::float8 AS bytes FROM unnest($1::text[]) AS name`,
      [tables],
    )
    found.push(rows[0]?.bytes ?? NaN)
  }
  return found
}
