import { noteFailure, openPool, sql, type Pool } from '@svc/postgres'
import type { RunningService } from '@svc/service'
import { agePostgres, eventually, FakeClock, opened } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { prepare, startAlpha } from './fixture.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

const clock = new FakeClock()
let service: RunningService
let db: Pool

const stack = opened(() => prepare())
beforeAll(async () => {
  service = await startAlpha(stack, clock)
  db = await openPool(stack.databaseOf('alpha').url)
})
afterAll(async () => {
  await Promise.all([service?.stop(), db?.end()])
})

const tables = { inbox: 'received_at', idempotency: 'claimed_at', dead_letter: 'failed_at', sent_event: 'sent_at' }

/** Adds a row to each table that housekeeping tends; its age is set by `age`. */
async function add(name: string): Promise<void> {
  await db.query(sql.unsafe`INSERT INTO inbox (event_id) VALUES (${name})`)
  await db.query(
    sql.unsafe`INSERT INTO idempotency (account_id, operation, key, request_hash) VALUES (1, 'makeThing', ${name}, 'x')`,
  )
  await db.query(sql.unsafe`
    INSERT INTO sent_event (id, seq, subject, payload, created_at) VALUES (1, 1, ${name}, '{}', now())`)
  const failed = { id: name, subject: 'evt.alpha.gone', envelope: {}, error: 'a bug', failure: {} }
  const triesMax = name.includes('open') ? 1 : 2
  await noteFailure(db, failed, { triesMax, retryAfterMs: [] }, clock.now())
}

async function age(days: number): Promise<void> {
  for (const [table, column] of Object.entries(tables))
    await agePostgres(stack.databaseOf('alpha').superuserUrl, { schema: 'alpha', table, column }, days * DAY_MS)
}

const names = (table: string, column: string) =>
  db.anyFirst(
    sql.type(z.object({ name: z.string() }))`
      SELECT ${sql.identifier([column])} AS name FROM ${sql.identifier([table])} ORDER BY name`,
  )

test('housekeeping deletes inbox rows after 30 days, idempotent answers and failures after 90, sent events after 3, but no open dead letter', async () => {
  await add('a: 95 days')
  await add('b: 95 days, open')
  await age(60)
  await add('c: 35 days')
  await age(10)
  await add('d: 25 days')
  await age(22)
  await add('e: 3 days')
  await age(1)
  await add('f: 2 days')
  await age(2)
  await eventually(async () => {
    clock.advance(HOUR_MS)
    expect(await names('inbox', 'event_id')).toEqual(['d: 25 days', 'e: 3 days', 'f: 2 days'])
    expect(await names('idempotency', 'key')).toEqual(['c: 35 days', 'd: 25 days', 'e: 3 days', 'f: 2 days'])
    expect(await names('dead_letter', 'event_id')).toEqual([
      'b: 95 days, open',
      'c: 35 days',
      'd: 25 days',
      'e: 3 days',
      'f: 2 days',
    ])
    expect(await names('sent_event', 'subject')).toEqual(['f: 2 days'])
  })
})
