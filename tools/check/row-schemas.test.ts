import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(dirname(import.meta.dirname))
/** A statement with a call among its arguments, outside of a name in backquotes. */
const BUILT_IN_PLACE = /sql\.(?:type|prepared)\((?:[^()`]|`[^`]*`)*\(/g

const inPlace = (text: string) => [...text.matchAll(BUILT_IN_PLACE)].length

test('a schema that is built in place is found', () => {
  expect(inPlace("sql.type(z.object({ id: z.number() }))`…`; sql.prepared('one', row.pick({ id: true }))`…`")).toBe(2)
  expect(
    inPlace('sql.type(idRow)`…`; sql.prepared(`one_${kind(id)}`, idRow)`…`; sql.prepared(\n  "two",\n  rows.id,\n)`…`'),
  ).toBe(0)
})

test('no statement builds the schema of its rows: building one takes as long as parsing fifty rows', () => {
  const files = globSync('{packages/*,services/*,services/*/*}/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  expect(files.length).toBeGreaterThan(500)
  const found = files.filter((file) => inPlace(readFileSync(join(root, file), 'utf8')) > 0)
  expect(found).toEqual([])
})
