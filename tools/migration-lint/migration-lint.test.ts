import { expect, test } from 'vitest'
import { digestOf, lintMigrations } from './rules.ts'
import { statementsOf } from './statements.ts'

const FIRST = 'services/shop/migrations/0001-orders.sql'
const first =
  'CREATE TABLE orders (id bigint PRIMARY KEY, price integer DEFAULT 1, note text);\nCREATE TABLE "line" (id bigint);\n'
const released = { [FIRST]: digestOf(first) }
const lint = (sql: string, path = 'services/shop/migrations/0002-more.sql') =>
  lintMigrations({ [FIRST]: first, [path]: sql }, released).map(({ where, problem }) => `${where}: ${problem}`)

test.each([
  ['a dropped table', 'DROP TABLE orders;', 'drops a table'],
  ['a dropped column', 'ALTER TABLE orders DROP COLUMN note;', 'drops a column'],
  ['a dropped column without the word', 'ALTER TABLE shop.orders ADD COLUMN x int, DROP note;', 'drops a column'],
  ['a renamed column', 'ALTER TABLE orders RENAME COLUMN note TO text;', 'renames'],
  ['a renamed table', 'ALTER TABLE IF EXISTS ONLY orders RENAME TO order_;', 'renames'],
  ['another type', 'ALTER TABLE orders ALTER COLUMN price TYPE bigint;', 'changes a type'],
  ['a value that is required from now on', 'ALTER TABLE orders ALTER note SET NOT NULL;', 'requires a value'],
  ['a new column without a default', 'ALTER TABLE orders ADD COLUMN kind text NOT NULL;', 'does not fill'],
  ['a dropped default', 'ALTER TABLE orders ALTER COLUMN price DROP DEFAULT;', 'removes a default'],
  ['a new condition', 'ALTER TABLE orders ADD CONSTRAINT dear CHECK (price > 5);', 'adds a condition'],
  ['a new key', 'ALTER TABLE orders ADD UNIQUE (note, price);', 'adds a condition'],
  ['an index that locks', 'CREATE UNIQUE INDEX by_note ON orders (note);', 'locks a table'],
  ['a taken privilege', 'REVOKE UPDATE ON orders FROM shop_app;', 'takes a privilege'],
  ['an emptied table', 'TRUNCATE "line";', 'empties a table'],
])('%s is found in a migration that is newer than the release', (_, sql, problem) => {
  expect(lint(`-- Another migration.\n${sql}`)).toEqual([expect.stringContaining(`0002-more.sql:2: `)])
  expect(lint(sql).join()).toContain(problem)
  expect(lint(`-- suits the last release: it never reads this.\n${sql}`)).toEqual([])
  expect(lint(`-- suits the last release:\n${sql}`)).toHaveLength(1)
})

test.each([
  'ALTER TABLE orders ADD COLUMN kind text;',
  "ALTER TABLE orders ADD COLUMN kind text NOT NULL DEFAULT 'a, NOT NULL';",
  'ALTER TABLE orders ADD COLUMN twice integer NOT NULL GENERATED ALWAYS AS (price * 2) STORED;',
  'ALTER TABLE orders DROP CONSTRAINT orders_pkey, ALTER note DROP NOT NULL;',
  'CREATE INDEX CONCURRENTLY by_note ON orders (note);',
  'CREATE TABLE parcel (id bigint NOT NULL);\nCREATE INDEX by_id ON parcel (id);\nALTER TABLE parcel ALTER id SET NOT NULL;',
  'CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DROP TABLE orders; $$;',
  "COMMENT ON TABLE orders IS 'DROP TABLE orders;';",
  '/* DROP TABLE orders; */ SELECT 1;',
])('a migration passes that the last release can work with: %s', (sql) => {
  expect(lint(sql)).toEqual([])
})

test('tables of other schemas with the same name are not meant', () => {
  expect(lint('DROP TABLE orders;', 'services/bank/migrations/0001-orders.sql')).toEqual([])
})

test('a released migration is neither changed nor removed', () => {
  expect(lintMigrations({ [FIRST]: `${first} ` }, released)).toEqual([
    { where: FIRST, problem: expect.stringContaining('differs') as string },
  ])
  expect(lintMigrations({}, released)).toEqual([
    { where: FIRST, problem: expect.stringContaining('is gone') as string },
  ])
})

test('statements keep their lines and lose their comments', () => {
  expect(statementsOf("-- one\nSELECT 1; -- two\n\nSELECT ';' -- three\n  , 2;\n")).toEqual([
    { text: 'SELECT 1', comments: ['-- one'], line: 2 },
    { text: "SELECT ';' , 2", comments: ['-- two', '-- three'], line: 4 },
  ])
})
