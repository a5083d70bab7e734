import { createHash } from 'node:crypto'
import { actionsOf, changedTable, statementsOf, tablesOf, type Statement } from './statements.ts'

/** Text of each migration by its path. */
export type Migrations = Readonly<Record<string, string>>
/** Digest of each migration of the last release by its path. */
export type Released = Readonly<Record<string, string>>

export interface Finding {
  readonly where: string
  readonly problem: string
}

/** A comment in front of a statement that says why the last release can run beside it. */
const REASON = /^--\s*suits the last release:\s*\S/

export const digestOf = (sql: string): string => createHash('sha256').update(sql).digest('hex').slice(0, 16)

const RULES: readonly { readonly action: RegExp; readonly problem: string }[] = [
  {
    action: /^DROP (?!CONSTRAINT|DEFAULT|EXPRESSION|IDENTITY)/i,
    problem: 'drops a column that the last release may use',
  },
  { action: /^RENAME\b/i, problem: 'renames what the last release uses: add the new name beside the old one' },
  {
    action: /^ALTER (?:COLUMN )?\S+ (?:SET DATA )?TYPE\b/i,
    problem: 'changes a type that the last release uses: add a column beside it',
  },
  { action: /^ALTER (?:COLUMN )?\S+ SET NOT NULL/i, problem: 'requires a value that the last release may not write' },
  { action: /^ALTER (?:COLUMN )?\S+ DROP DEFAULT/i, problem: 'removes a default that the last release relies on' },
  {
    action: /^ADD (?!CONSTRAINT|CHECK|UNIQUE|FOREIGN|PRIMARY|EXCLUDE)(?!.*\b(?:DEFAULT|GENERATED)\b).*\bNOT NULL\b/i,
    problem: 'adds a column that the last release does not fill: give it a default',
  },
  {
    action: /^ADD (?:CONSTRAINT \S+ )?(?:CHECK|UNIQUE|FOREIGN|PRIMARY|EXCLUDE)\b/i,
    problem: 'adds a condition that rows of the last release may not meet, and locks the table while it is checked',
  },
]

function problemsOf(statement: Statement): string[] {
  const { text } = statement
  if (/^ALTER TABLE/i.test(text))
    return actionsOf(statement).flatMap((action) =>
      RULES.filter((rule) => rule.action.test(action)).map(({ problem }) => problem),
    )
  if (/^DROP TABLE/i.test(text)) return ['drops a table that the last release may use']
  if (/^TRUNCATE/i.test(text)) return ['empties a table of the last release']
  if (/^REVOKE/i.test(text)) return ['takes a privilege that the last release may use']
  if (/^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)/i.test(text))
    return ['locks a table of the last release against writes while the index is built']
  return []
}

/** Returns the schema folder of a migration: migrations of one folder share their tables. */
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

/**
 * Judges the migrations that are newer than the last release: during an update its code works with their tables. Returns also
 * the released ones that were changed or removed.
 */
export function lintMigrations(migrations: Migrations, released: Released): Finding[] {
  const changed = Object.entries(released).flatMap(([where, digest]): Finding[] => {
    const now = migrations[where]
    if (now === undefined) return [{ where, problem: 'was released and is gone: put it back' }]
    return digestOf(now) === digest
      ? []
      : [{ where, problem: 'was released and differs: put it back and add a new migration' }]
  })
  const old = Object.entries(migrations).filter(([path]) => Object.hasOwn(released, path))
  const tables = Map.groupBy(
    old.flatMap(([path, sql]) => tablesOf(sql).map((table) => ({ folder: folderOf(path), table }))),
    ({ folder }) => folder,
  )
  const judged = Object.entries(migrations)
    .filter(([path]) => !Object.hasOwn(released, path))
    .flatMap(([path, sql]) => {
      const known = new Set(tables.get(folderOf(path))?.map(({ table }) => table))
      return statementsOf(sql).flatMap((statement): Finding[] => {
        const table = changedTable(statement)
        if (table === null || !known.has(table) || statement.comments.some((comment) => REASON.test(comment))) return []
        return problemsOf(statement).map((problem) => ({
          where: `${path}:${statement.line}`,
          problem: `${table}: ${problem}`,
        }))
      })
    })
  return [...changed, ...judged]
}
