import { sql, type Db, type Pool, type Tx } from '@svc/postgres'
import { expect } from 'vitest'

type Query = Parameters<Pool['query']>[0]

/** Returns how Postgres would run the statements of a function of a store. Each statement is explained and finds nothing. */
export async function plansOf(pool: Pool, work: (db: Tx) => Promise<unknown>): Promise<string> {
  const plans: string[] = []
  const explained = async <T>(query: Query, answer: T): Promise<T> => {
    const lines = await pool.anyFirst(sql.unsafe`EXPLAIN (COSTS OFF) ${query}`)
    plans.push(lines.join('\n'))
    return answer
  }
  const db: Partial<Record<keyof Db, (query: Query) => Promise<unknown>>> = {
    any: (query) => explained(query, []),
    exists: (query) => explained(query, false),
    one: (query) => explained(query, {}),
    oneFirst: (query) => explained(query, 0),
    maybeOne: (query) => explained(query, null),
    maybeOneFirst: (query) => explained(query, null),
    query: (query) => explained(query, { rowCount: 0 }),
  }
  await work(db as unknown as Tx)
  expect(plans.length).toBeGreaterThan(0)
  return plans.join('\n')
}
