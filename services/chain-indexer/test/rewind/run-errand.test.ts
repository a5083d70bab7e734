import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openPool, sql } from '@svc/postgres'
import { openLog } from '@svc/service'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { SchemaMissing } from '#context.ts'
import { start } from '#main.ts'
import { errandOf, runErrand, type Errand } from '#rewind/run-errand.ts'
import { chainRig, indexerOf, storedFacts, USDC, type ChainRig, type Indexer } from '../rig.ts'

let chain: ChainRig
let indexer: Indexer
const sweep: Errand = { kind: 'job', name: 'vaultEvents' }
const log = openLog('chain-indexer', 'silent')

beforeAll(async () => {
  chain = await chainRig()
  const vault = await chain.createVault('once')
  await chain.deposit(vault, USDC)
  indexer = await indexerOf(chain)
})
afterAll(async () => {
  await indexer.stop()
  await chain.stop()
})

const environment = (more: Record<string, string> = {}) => ({
  ...indexer.stack.environmentOf('chain-indexer', indexer.environment),
  ...more,
})

test('a run of a job or a way back is named on the command line; anything else is refused with the names', () => {
  expect(errandOf([])).toBeNull()
  expect(errandOf(['--job', 'vaultEvents', '--once'])).toEqual(sweep)
  expect(errandOf(['--rewind', 'reverts', '--to', '12'])).toEqual({ kind: 'rewind', stream: 'reverts', to: 12 })
  for (const words of [
    '--job nothing --once',
    '--job vaultEvents',
    '--rewind reverts',
    '--rewind reverts --to -1',
    '--rewind reverts --to 1 2',
  ])
    expect(() => errandOf(words.split(' '))).toThrow(/vaultEvents.*vault_events/)
})

/** The command line itself. */
const commandLine = (words: readonly string[], env: Record<string, string | undefined> = {}) =>
  promisify(execFile)(process.execPath, [new URL('../../src/main.ts', import.meta.url).pathname, ...words], {
    env: { PATH: process.env['PATH'], ...env },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )

test('the command line helps, says in one line what is wrong with its words or settings, and what a run did', async () => {
  const [helped, wrong, unset, ran] = await Promise.all([
    commandLine(['--help']),
    commandLine(['--job', 'nothing']),
    commandLine(['--job', 'vaultEvents', '--once']),
    commandLine(['--job', 'vaultPoll', '--once'], environment({ SVC_LOG_LEVEL: 'info' })),
  ])
  expect(helped).toMatchObject({ code: 0, stderr: '' })
  expect(helped.stdout).toMatch(/--job NAME --once .*vaultEvents.*\n.*--rewind STREAM --to BLOCK .*vault_events/)
  expect(wrong).toMatchObject({ code: 1, stdout: '' })
  expect(wrong.stderr).toMatch(/^Use --job NAME --once .*\n$/)
  expect(unset).toMatchObject({ code: 1, stdout: '' })
  expect(unset.stderr).toMatch(/^SVC_POSTGRES_URL is required: .*\n$/)
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(ran.stdout)).toMatchObject({ kind: 'job', name: 'vaultPoll', done: 0, msg: 'done' })
})

test('a run that does its work ends with 0', async () => {
  expect(await runErrand(sweep, environment(), { log })).toBe(0)
  expect(await storedFacts(indexer.pool)).toHaveLength(2)
})

test('a run that hits the lock or statement timeout is skipped with 0, and stores nothing', async () => {
  const before = await storedFacts(indexer.pool)
  await chain.anvil.mine(1)
  const client = new pg.Client({ connectionString: indexer.stack.databaseOf('chain-indexer').url })
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT * FROM cursor FOR UPDATE')
  expect(await runErrand(sweep, environment({ HUB_WORKER_LOCK_TIMEOUT_MS: '50' }), { log })).toBe(0)
  expect(await runErrand(sweep, environment({ HUB_WORKER_STATEMENT_TIMEOUT_MS: '50' }), { log })).toBe(0)
  await client.end()
  expect(await storedFacts(indexer.pool)).toEqual(before)
})

test('the limits hold where a run only reads, too', async () => {
  const client = new pg.Client({ connectionString: indexer.stack.databaseOf('chain-indexer').superuserUrl })
  await client.connect()
  await client.query('BEGIN')
  await client.query('LOCK TABLE chain_indexer.vault, chain_indexer.cursor IN ACCESS EXCLUSIVE MODE')
  // Without it the limits of the role would end a run, after five seconds.
  for (const limit of ['HUB_WORKER_LOCK_TIMEOUT_MS', 'HUB_WORKER_STATEMENT_TIMEOUT_MS']) {
    const started = Date.now()
    expect(await runErrand(sweep, environment({ [limit]: '50' }), { log }), limit).toBe(0)
    expect(Date.now() - started, limit).toBeLessThan(5_000)
  }
  await client.end()
})

test('an RPC that is away ends a run with 1', async () => {
  const off = chain.proxy.inject({ kind: 'http-status', status: 401 })
  expect(await runErrand(sweep, environment(), { log })).toBe(1)
  off()
})

test('a Postgres that is away ends a run with 1 and a line in the log, not with a stack', async () => {
  const url = indexer.stack.databaseOf('chain-indexer').url.replace(/:\d+\//, ':1/')
  const run = await commandLine(
    ['--job', 'vaultEvents', '--once'],
    environment({ SVC_POSTGRES_URL: url, SVC_LOG_LEVEL: 'info' }),
  )
  expect(run).toMatchObject({ code: 1, stderr: '' })
  expect(JSON.parse(run.stdout)).toMatchObject({ kind: 'job', name: 'vaultEvents', msg: 'job failed' })
})

test('a stream that stands still ends a run with 2, until an operator takes it back to a block of the chain', async () => {
  const before = await storedFacts(indexer.pool)
  await indexer.pool.query(sql.unsafe`UPDATE cursor SET stopped = 'for the test' WHERE stream = 'vault_events'`)
  expect(await runErrand(sweep, environment(), { log })).toBe(2)
  const back: Errand = { kind: 'rewind', stream: 'vault_events', to: before[0]?.block_number ?? 0 }
  expect(await runErrand(back, environment(), { log })).toBe(0)
  expect(await storedFacts(indexer.pool)).toEqual(before.slice(0, 1))
  expect((await indexer.heard()).at(-1)).toMatchObject({ subject: 'chainReorganised', payload: { orphaned: 1 } })
  expect(await runErrand(sweep, environment(), { log })).toBe(0)
  expect(await storedFacts(indexer.pool)).toEqual(before)
  const rows = await indexer.pool.any(sql.type(z.object({ revision: z.number(), canonical: z.boolean() }))`
    SELECT revision, canonical FROM log WHERE block_number > ${back.to} ORDER BY revision`)
  expect(rows).toEqual([
    { revision: 2, canonical: false },
    { revision: 3, canonical: true },
  ])
  expect(await runErrand({ ...back, to: (await chain.head()) + 1 }, environment(), { log })).toBe(1)
  const untouched = runErrand({ ...back, stream: 'deposits' }, environment(), { log })
  await expect(untouched).rejects.toThrow('deposits has not reached block')
})

test('a way back is refused in a dry run, and one that hits a timeout ends with 1: neither moves anything', async () => {
  const before = await storedFacts(indexer.pool)
  const back: Errand = { kind: 'rewind', stream: 'vault_events', to: before[0]?.block_number ?? 0 }
  const dry = runErrand(back, environment({ HUB_VAULT_EVENTS_DRY_RUN: '1' }), { log })
  await expect(dry).rejects.toThrow('HUB_VAULT_EVENTS_DRY_RUN is on, and a dry run moves no stored block: set it to 0.')
  const client = new pg.Client({ connectionString: indexer.stack.databaseOf('chain-indexer').url })
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT * FROM cursor FOR UPDATE')
  expect(await runErrand(back, environment({ HUB_WORKER_LOCK_TIMEOUT_MS: '50' }), { log })).toBe(1)
  await client.end()
  expect(await storedFacts(indexer.pool)).toEqual(before)
})

test('each job says what it did in one line', async () => {
  const said = {
    vaultEvents: { done: 0, next_block: (await chain.head()) + 1, dry_run: false },
    reverts: { done: 0, next_block: (await chain.head()) + 1, dry_run: false },
    vaultPoll: { done: 1, differing: 0, dry_run: false },
    depositWatch: { done: 0, checked: 0, dry_run: false },
    transactionWatch: { done: 0 },
  } as const
  const lines: unknown[] = []
  const listening = Object.assign(openLog('chain-indexer', 'silent'), { info: (line: unknown) => lines.push(line) })
  for (const name of Object.keys(said) as (keyof typeof said)[])
    expect(await runErrand({ kind: 'job', name }, environment(), { log: listening })).toBe(0)
  expect(lines).toEqual(Object.entries(said).map(([name, report]) => ({ kind: 'job', name, ...report })))
})

test('a missing table ends a run and the start of the service with 2; only the testing switch makes it', async () => {
  const { url, superuserUrl } = indexer.stack.databaseOf('chain-indexer')
  const superuser = await openPool(superuserUrl)
  // Whichever it is.
  for (const table of ['deposit', 'log', 'watched_transaction', 'outbox']) {
    const [present, gone] = [sql.identifier(['chain_indexer', table]), sql.identifier([`${table}_gone`])]
    await superuser.query(sql.unsafe`ALTER TABLE ${present} RENAME TO ${gone}`)
    await expect(runErrand(sweep, environment(), { log })).rejects.toThrow(SchemaMissing)
    const [back, name] = [sql.identifier(['chain_indexer', `${table}_gone`]), sql.identifier([table])]
    await superuser.query(sql.unsafe`ALTER TABLE ${back} RENAME TO ${name}`)
  }
  await superuser.query(sql.unsafe`DROP TABLE chain_indexer.watched_address`)
  expect(await commandLine(['--job', 'vaultEvents', '--once'], environment())).toMatchObject({
    code: 2,
    stderr: 'Missing in chain_indexer: watched_address. Apply the migrations; workers change no schema.\n',
  })
  const failure: unknown = await start(environment()).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(SchemaMissing)
  expect((failure as SchemaMissing).exitCode).toBe(2)
  // The app role may not: workers never change the schema on their own.
  await expect(start(environment({ HUB_WORKER_SCHEMA_ENSURE: '1', SVC_POSTGRES_URL: url }))).rejects.toThrow(
    /permission/,
  )
  await superuser.end()
})
