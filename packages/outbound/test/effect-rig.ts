import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, openPool, sql, table, type Pool, type Tx } from '@svc/postgres'
import { openLog } from '@svc/service'
import { disposableDatabase } from '@svc/testing'
import { z } from 'zod'
import { launchColumns, launchOf, Outbound, type Adapter, type Claim, type Ending, type RowOf } from '@svc/outbound'
import { migrationOf } from '@svc/outbound/template'
import type { Bytes, FaultyPeer, Step, TestProcess } from '@svc/outbound/testing'

export const CLAIM_MS = 5_000
const VALID_MS = 15_000

const own = z.object({ body: z.string().nullable(), result: z.string().nullable() })
export const kind = { name: 'deed', table: 'deed', row: own } as const
export type Deed = RowOf<typeof own>
export type Deeds = Outbound<typeof own>

/** A database with a table of effects, as a service has it after its migrations. */
export async function openDeeds(): Promise<{ readonly pool: Pool; readonly stop: () => Promise<void> }> {
  const database = await disposableDatabase('outbound')
  const directory = await mkdtemp(join(tmpdir(), 'deeds-'))
  const never = {
    state: sql.fragment`'planned'`,
    outcome: sql.fragment`'done'`,
    copies: sql.fragment`0`,
    overAfter: sql.fragment`0`,
  }
  const table = 'CREATE TABLE deed (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text, result text);'
  await writeFile(join(directory, '0001-deeds.sql'), `${table}\n${migrationOf('deed', never)}`)
  await migrate({ url: database.migratorUrl, schema: 'outbound', directory })
  await rm(directory, { recursive: true })
  const pool = await openPool(database.url, { size: 4 })
  return {
    pool,
    stop: async () => {
      await pool.end()
      await database.drop()
    },
  }
}

let serial = 0
const idRow = z.object({ id: z.number() })
/** Stores a planned effect and returns its id. */
export const newDeed = (pool: Pool): Promise<number> =>
  pool.oneFirst(sql.type(idRow)`INSERT INTO deed DEFAULT VALUES RETURNING id`)

const launched = table('deed', { body: z.string(), ...launchColumns })
/** Stores an effect with its bytes, its first copy counted, and claimed. */
export async function insertLaunched(pool: Pool, claim: Claim): Promise<Pick<Deed, 'id' | 'body' | 'result'>> {
  const validUntil = claim.now.getTime() + VALID_MS
  const body = JSON.stringify({ kind: 'call', serial: ++serial, validUntil })
  const id = await pool.oneFirst(sql.type(idRow)`
    ${launched.insert({ body, ...launchOf(claim, validUntil) })} RETURNING id`)
  return { id, body, result: null }
}

const transactionOf =
  (pool: Pool) =>
  <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    pool.transaction(work)

/** The machine as a process runs it. */
export const deedsOf = (pool: Pool, process: TestProcess): Deeds =>
  new Outbound({
    kind,
    transaction: process.transaction(transactionOf(pool)),
    clock: process.clock,
    log: openLog('outbound', 'silent'),
    claimMs: CLAIM_MS,
    pauseMs: 0,
  })

const bytesOf = ({ body }: Deed): Bytes => {
  if (body === null) throw new Error('no bytes')
  return JSON.parse(body) as Bytes
}

/** Connects a process with the other side, as one step of a script has it. */
export function adapterOf(
  process: TestProcess,
  peer: FaultyPeer,
  step: Pick<Step, 'plan' | 'replaces'>,
): Adapter<Deed> {
  const ending = (id: number, outcome: Ending['outcome'], evidence: object): Ending => ({
    outcome,
    evidence,
    store: async (tx) => void (await tx.query(sql.unsafe`UPDATE deed SET result = ${outcome} WHERE id = ${id}`)),
  })
  const executedAs = (id: number, { kind: what }: Bytes) => ending(id, what === 'call' ? 'done' : 'replaced', { what })
  const signed = (id: number, what: Bytes['kind'], validUntil: number, before: string | null) => ({
    store: async (tx: Tx) => {
      const body = JSON.stringify({ kind: what, serial: ++serial, validUntil })
      const { rowCount } = await tx.query(sql.unsafe`
        UPDATE deed SET body = ${body} WHERE id = ${id} AND body IS NOT DISTINCT FROM ${before}`)
      return rowCount > 0
    },
  })
  const asked = async <T>(question: () => T): Promise<T> => {
    await process.point()
    const answer = question()
    await process.point()
    return answer
  }
  return {
    plan: async ({ id }) => {
      await process.point()
      if (step.plan === 'give_up') return { act: 'give_up', ending: ending(id, 'abandoned', {}) }
      return step.plan === 'wait' ? { act: 'wait' } : { act: 'sign', plan: null }
    },
    sign: async ({ id }) => {
      await process.point()
      return signed(id, 'call', process.clock.now().getTime() + VALID_MS, null)
    },
    replace: async (row) => {
      await process.point()
      const bytes = bytesOf(row)
      return step.replaces && bytes.kind === 'call' ? signed(row.id, 'cancel', bytes.validUntil, row.body) : null
    },
    send: async (row) => {
      const bytes = bytesOf(row)
      const says = await asked(() => peer.send(bytes))
      if (says === 'unclear' || says === 'over') return { says }
      if (says === 'done') return { says, ending: executedAs(row.id, bytes) }
      const look = { began: peer.now, says: 'unknown', executed: false } as const
      return {
        says: 'refused',
        ending: ending(row.id, 'refused', { says }),
        ...(says === 'found nothing' ? { look } : {}),
      }
    },
    find: async ({ id }) => {
      const { began, says, executed } = await asked(() => peer.look())
      return {
        began,
        says,
        executed: executed !== null,
        endingOf: () => (executed === null ? ending(id, 'expired', { began }) : executedAs(id, executed)),
      }
    },
    now: () => process.clock.now().getTime(),
    validUntil: (row) => bytesOf(row).validUntil,
    describe: () => ({}),
    report: async ({ effect_outcome }) => asked(() => peer.inform(String(effect_outcome))),
  }
}
