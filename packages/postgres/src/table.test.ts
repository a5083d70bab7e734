import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { sql } from './pool.ts'
import { instant, json, jsonAsWritten, named, table, typed, units, type RowOf } from './table.ts'

const facts = table('chain_fact', {
  chainId: z.number(),
  tx_hash: z.string(),
  amount: units.nullable(),
  seenAt: instant,
  args: json(z.record(z.string(), z.string()).nullable()),
  markets: z.array(z.string()),
})
const fact: RowOf<typeof facts> = {
  chainId: 8453,
  tx_hash: '0xab',
  amount: 5n,
  seenAt: new Date('2026-01-02T03:04:05.678Z'),
  args: { to: '0x1' },
  markets: ['AERO'],
}

/** The text and the parameters of a statement, with the placeholders of Postgres. */
const textOf = (statement: { sql: string; values: readonly unknown[] }) => [
  statement.sql.replaceAll('$slonik_', '$'),
  ...statement.values,
]

test('selects each column under its name in the code, with quoted identifiers', () => {
  expect(textOf(facts.list)).toEqual([
    '"chain_id" AS "chainId", "tx_hash", "amount", "seen_at" AS "seenAt", "args", "markets"',
  ])
  expect(textOf(facts.pick('chainId', 'tx_hash').listOf('f'))).toEqual(['"f"."chain_id" AS "chainId", "f"."tx_hash"'])
  expect(textOf(table('odd"name', { 'a"b': z.string() }).insert({ 'a"b': 'x' }))).toEqual([
    'INSERT INTO "odd""name" ("a""b") VALUES ($1)',
    'x',
  ])
})

test('parses a row by the schemas of the columns', () => {
  const row = { chainId: 8453, tx_hash: '0xab', amount: '5', seenAt: '2026-01-02T03:04:05.678Z', args: { to: '0x1' } }
  expect(facts.row.parse({ ...row, markets: ['AERO'] })).toEqual(fact)
  expectTypeOf<RowOf<typeof facts>['amount']>().toEqualTypeOf<bigint | null>()
})

test('inserts every column: amounts, times and documents as text', () => {
  const at = '2026-01-02T03:04:05.678Z'
  const names = '("chain_id", "tx_hash", "amount", "seen_at", "args", "markets")'
  expect(textOf(facts.insert(fact))).toEqual([
    `INSERT INTO "chain_fact" ${names} VALUES ($1, $2, $3, $4, $5::jsonb, $6)`,
    8453,
    '0xab',
    '5',
    at,
    '{"to":"0x1"}',
    ['AERO'],
  ])
  const values = facts.values({ ...fact, amount: null, args: null })
  expect(textOf(sql.fragment`INSERT INTO x (${facts.names}) SELECT ${values}`)).toEqual([
    `INSERT INTO x ${names} SELECT $1, $2, $3, $4, $5::jsonb, $6`,
    8453,
    '0xab',
    null,
    at,
    null,
    ['AERO'],
  ])
})

test('inserts many rows in one statement, each column as an array of its type', () => {
  const fills = table('fill', {
    id: z.string(),
    seq: typed('int8', z.number()),
    fee: typed('numeric', units),
    at: typed('timestamptz', instant.nullable()),
  })
  const at = new Date('2026-01-02T03:04:05.678Z')
  const statement = fills.insertAll([
    { id: 'a', seq: 1, fee: 5n, at },
    { id: 'b', seq: 2, fee: 6n, at: null },
  ])
  expect(textOf(statement)).toEqual([
    'INSERT INTO "fill" ("id", "seq", "fee", "at") SELECT * FROM unnest($1::"text"[], $2::"int8"[], $3::"numeric"[], $4::"timestamptz"[])',
    ['a', 'b'],
    [1, 2],
    ['5', '6'],
    [at.toISOString(), null],
  ])
  expect(() => facts.insertAll([fact])).toThrow('chain_fact.markets has no bulk insert')
})

test('writes a document that looks like a fragment as a document', () => {
  const rows = table('note', { body: json(z.unknown()) })
  const body = sql.fragment`now()`
  expect(textOf(rows.insert({ body }))).toEqual([
    'INSERT INTO "note" ("body") VALUES ($1::jsonb)',
    JSON.stringify(body),
  ])
})

test('overwrites all columns but those of the key and kept ones on a conflict', () => {
  expect(textOf(facts.omit('args', 'markets').onConflict(['chainId', 'tx_hash'], ['seenAt']))).toEqual([
    'ON CONFLICT ("chain_id", "tx_hash") DO UPDATE SET "amount" = excluded."amount"',
  ])
})

test('sets the given columns and leaves out the others', () => {
  expect(textOf(facts.set({ amount: null, args: { to: '0x2' } }))).toEqual([
    '"amount" = $1, "args" = $2::jsonb',
    null,
    '{"to":"0x2"}',
  ])
})

test('leaves out what a row has beyond the columns', () => {
  const wider = { ...fact, secret: 'x' }
  expect(facts.only(wider)).toEqual(fact)
  expect(textOf(facts.pick('tx_hash').insert(wider))).toEqual([
    'INSERT INTO "chain_fact" ("tx_hash") VALUES ($1)',
    '0xab',
  ])
})

test('a schema is a document only in the column that says so', () => {
  const tags = z.array(z.string())
  const both = table('both', { list: tags, document: json(tags) })
  expect(both.insert({ list: ['a'], document: ['b'] }).sql).toContain('($slonik_1, $slonik_2::jsonb)')
})

test('a column may have another name than in the code, and a document may be one of json', () => {
  const notes = table('note', { by: named('written_by', z.string()), text: jsonAsWritten(z.object({ b: z.number() })) })
  expect(textOf(notes.list)).toEqual(['"written_by" AS "by", "text"'])
  const note = { by: 'ann', text: { b: 1 } }
  expect(textOf(notes.insert(note))).toEqual([
    'INSERT INTO "note" ("written_by", "text") VALUES ($1, $2::json)',
    'ann',
    '{"b":1}',
  ])
  expect(textOf(notes.set(note))).toEqual(['"written_by" = $1, "text" = $2::json', 'ann', '{"b":1}'])
  expect(textOf(notes.insertAll([note]))).toEqual([
    'INSERT INTO "note" ("written_by", "text") SELECT * FROM unnest($1::"text"[], $2::"json"[])',
    ['ann'],
    ['{"b":1}'],
  ])
})
