import { schemaOf } from '@svc/contract'
import { emitAll, openPool, sql, takeOutbox, type Pool } from '@svc/postgres'
import { withClient } from '@svc/servers'
import { eventually, opened } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { alpha, prepare } from './fixture.ts'

// One relay runs at a time, but a statement of a leader that lost its lease may still wait in Postgres.
let pools: readonly [Pool, Pool]
const stack = opened(() => prepare())
beforeAll(async () => {
  const { url } = stack.databaseOf('alpha')
  pools = await Promise.all([openPool(url), openPool(url)])
})
afterAll(() => Promise.all(pools.map((pool) => pool.end())))

/** A transaction sees the sessions of its first look until it forgets them. */
const FORGET = 'SELECT pg_stat_clear_snapshot()'
const WAITING = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

test('two relays that take the outbox at the same moment number each event once, without a gap', async () => {
  const [one, other] = pools
  const made = (id: number) => ({ event: alpha.events.thingMade, payload: { id } })
  await one.transaction((tx) => emitAll(tx, [1, 2, 3, 4, 5].map(made)))
  const taking = await withClient(stack.databaseOf('alpha').superuserUrl, async (db) => {
    await db.query('BEGIN')
    await db.query(`SELECT seq FROM ${schemaOf('alpha')}.outbox_head FOR UPDATE`)
    const both = Promise.all([takeOutbox(one, 10), takeOutbox(other, 10)])
    await eventually(async () => {
      await db.query(FORGET)
      expect((await db.query(WAITING)).rows).toEqual([{ n: 2 }])
    })
    await db.query('COMMIT')
    return { both }
  })
  const seqs = (await taking.both).map((rows) => rows.map(({ seq }) => seq))
  expect(seqs).toEqual([
    [1, 2, 3, 4, 5],
    [1, 2, 3, 4, 5],
  ])
  expect(await one.oneFirst(sql.type(z.object({ seq: z.number() }))`SELECT seq FROM outbox_head`)).toBe(5)
})
