import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openPool, sql } from '@svc/postgres'
import { openLog } from '@svc/service'
import pg from 'pg'
import { inherited, opened } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { SchemaMissing } from '#context.ts'
import { runJob, runTask, start } from '#main.ts'
import { rewindOf, runRewind, type Rewind } from '#rewind/rewind-command.ts'
import { chainRig, indexerOf, storedFacts, USDC, type Indexer } from '../rig.ts'

let indexer: Indexer
const log = openLog('chain-indexer', 'silent')
const sweep = (more: Record<string, string> = {}) => runJob('vaultEvents', environment(more), { log })
const rewind = (to: Rewind, more: Record<string, string> = {}) => runRewind({ runTask }, to, environment(more), { log })

const chain = opened(() => chainRig())
beforeAll(async () => {
  const vault = await chain.createVault('once')
  await chain.deposit(vault, USDC)
  indexer = await indexerOf(chain)
})
afterAll(async () => {
  await indexer.stop()
})

const environment = (more: Record<string, string> = {}) => ({
  ...indexer.stack.environmentOf('chain-indexer', indexer.environment),
  ...more,
})

test('a rewind names its stream and block on the command line; other words are not a rewind', () => {
  expect(rewindOf(['--rewind', 'reverts', '--to', '12'])).toEqual({ stream: 'reverts', to: 12 })
  for (const words of [
    '--job vaultEvents --once',
    '--rewind nothing --to 1',
    '--rewind reverts',
    '--rewind reverts --to -1',
    '--rewind reverts --to 1 2',
  ])
    expect(rewindOf(words.split(' '))).toBeNull()
})

/** Runs the service's command line as a process. */
const commandLine = (words: readonly string[], env: Record<string, string | undefined> = {}) =>
  promisify(execFile)(process.execPath, [new URL('../../src/main.ts', import.meta.url).pathname, ...words], {
    env: { ...inherited(), ...env },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )

test('the command line prints its usage, names an unknown job or a missing setting in one line, and reports a run in one line', async () => {
  const [helped, wrong, unset, ran] = await Promise.all([
    commandLine(['--help']),
    commandLine(['--job', 'nothing']),
    commandLine(['--job', 'vaultEvents', '--once']),
    commandLine(['--job', 'vaultPoll', '--once'], environment({ SVC_LOG_LEVEL: 'info' })),
  ])
  expect(helped).toMatchObject({ code: 0, stderr: '' })
  expect(helped.stdout).toMatch(
    /--job NAME --once .*vaultEvents.*\n.*--migrate .*\n.*--rewind STREAM --to BLOCK .*vault_events/,
  )
  expect(wrong).toMatchObject({ code: 1, stdout: '' })
  expect(wrong.stderr).toMatch(/^Use one of:\n.*\n.*--job NAME --once .*\n.*--migrate .*\n.*--rewind STREAM/)
  expect(unset).toMatchObject({ code: 1, stdout: '' })
  expect(unset.stderr).toMatch(/^SVC_POSTGRES_URL is required: .*\n$/)
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(ran.stdout)).toMatchObject({ job: 'vaultPoll', done: 0, msg: 'done' })
})

test('a job that completes exits with 0', async () => {
  expect(await sweep()).toBe(0)
  expect(await storedFacts(indexer.pool)).toHaveLength(2)
})

test('a job that reaches the lock or statement timeout is skipped with exit code 0 and stores nothing', async () => {
  const before = await storedFacts(indexer.pool)
  await chain.anvil.mine(1)
  const client = new pg.Client({ connectionString: indexer.stack.databaseOf('chain-indexer').url })
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT * FROM cursor FOR UPDATE')
  expect(await sweep({ HUB_WORKER_LOCK_TIMEOUT_MS: '50' })).toBe(0)
  expect(await sweep({ HUB_WORKER_STATEMENT_TIMEOUT_MS: '50' })).toBe(0)
  await client.end()
  expect(await storedFacts(indexer.pool)).toEqual(before)
})

test('the timeouts of workers also apply to statements that only read', async () => {
  const client = new pg.Client({ connectionString: indexer.stack.databaseOf('chain-indexer').superuserUrl })
  await client.connect()
  const { username, pathname } = new URL(indexer.stack.databaseOf('chain-indexer').url)
  const role = `ALTER ROLE "${username}" IN DATABASE "${pathname.slice(1)}"`
  await client.query(`${role} SET lock_timeout = 0`)
  await client.query(`${role} SET statement_timeout = 0`)
  await client.query('BEGIN')
  await client.query('LOCK TABLE chain_indexer.vault, chain_indexer.cursor IN ACCESS EXCLUSIVE MODE')
  // Without the limit under test a run would wait until the test ends: the role has limits of its own otherwise.
  const hang = { HUB_WORKER_LOCK_TIMEOUT_MS: '600000', HUB_WORKER_STATEMENT_TIMEOUT_MS: '600000' }
  for (const limit of Object.keys(hang)) expect(await sweep({ ...hang, [limit]: '50' }), limit).toBe(0)
  await client.query('ROLLBACK')
  await client.query(`${role} RESET ALL`)
  await client.end()
})

test('a job exits with 1 while the RPC is unavailable', async () => {
  const off = chain.proxy.inject({ kind: 'http-status', status: 401 })
  expect(await sweep()).toBe(1)
  off()
})

test('a job exits with 1 and one line in the log while Postgres is unavailable', async () => {
  const url = indexer.stack.databaseOf('chain-indexer').url.replace(/:\d+\//, ':1/')
  const run = await commandLine(
    ['--job', 'vaultEvents', '--once'],
    environment({ SVC_POSTGRES_URL: url, SVC_LOG_LEVEL: 'info' }),
  )
  expect(run).toMatchObject({ code: 1, stderr: '' })
  expect(JSON.parse(run.stdout)).toMatchObject({ job: 'vaultEvents', msg: 'job failed' })
})

test('a job of a stopped stream exits with 2 until an operator rewinds the stream to a block of the chain', async () => {
  const before = await storedFacts(indexer.pool)
  await indexer.pool.query(sql.unsafe`UPDATE cursor SET stopped = 'for the test' WHERE stream = 'vault_events'`)
  expect(await sweep()).toBe(2)
  const back: Rewind = { stream: 'vault_events', to: before[0]?.block_number ?? 0 }
  const words = ['--rewind', 'vault_events', '--to', String(back.to)]
  expect(await commandLine(words, environment())).toMatchObject({ code: 0, stderr: '' })
  expect(await storedFacts(indexer.pool)).toEqual(before.slice(0, 1))
  expect((await indexer.heard()).at(-1)).toMatchObject({ subject: 'chainReorganised', payload: { orphaned: 1 } })
  expect(await sweep()).toBe(0)
  expect(await storedFacts(indexer.pool)).toEqual(before)
  const rows = await indexer.pool.any(sql.type(z.object({ revision: z.number(), canonical: z.boolean() }))`
    SELECT revision, canonical FROM log WHERE block_number > ${back.to} ORDER BY revision`)
  expect(rows).toEqual([
    { revision: 2, canonical: false },
    { revision: 3, canonical: true },
  ])
  expect(await rewind({ ...back, to: (await chain.head()) + 1 })).toBe(1)
  const untouched = rewind({ ...back, stream: 'deposits' })
  await expect(untouched).rejects.toThrow('deposits has not reached block')
})

test('a rewind is rejected in a dry run and exits with 1 at a timeout; neither moves anything', async () => {
  const before = await storedFacts(indexer.pool)
  const back: Rewind = { stream: 'vault_events', to: before[0]?.block_number ?? 0 }
  const dry = rewind(back, { HUB_VAULT_EVENTS_DRY_RUN: '1' })
  await expect(dry).rejects.toThrow('HUB_VAULT_EVENTS_DRY_RUN is on, and a dry run moves no stored block: set it to 0.')
  const client = new pg.Client({ connectionString: indexer.stack.databaseOf('chain-indexer').url })
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT * FROM cursor FOR UPDATE')
  expect(await rewind(back, { HUB_WORKER_LOCK_TIMEOUT_MS: '50' })).toBe(1)
  await client.end()
  expect(await storedFacts(indexer.pool)).toEqual(before)
})

test('each job reports its work in one line of the log', async () => {
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
    expect(await runJob(name, environment(), { log: listening })).toBe(0)
  expect(lines).toEqual(Object.entries(said).map(([job, report]) => ({ job, ...report })))
})

test('a missing table ends a job and the start of the service with exit code 2; only the switch for testing creates tables', async () => {
  const { url, superuserUrl } = indexer.stack.databaseOf('chain-indexer')
  const superuser = await openPool(superuserUrl)
  for (const table of ['deposit', 'log', 'watched_transaction', 'outbox']) {
    const [present, gone] = [sql.identifier(['chain_indexer', table]), sql.identifier([`${table}_gone`])]
    await superuser.query(sql.unsafe`ALTER TABLE ${present} RENAME TO ${gone}`)
    await expect(sweep()).rejects.toThrow(SchemaMissing)
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
  // The app role may not create tables: workers never change the schema on their own.
  await expect(start(environment({ HUB_WORKER_SCHEMA_ENSURE: '1', SVC_POSTGRES_URL: url }))).rejects.toThrow(
    /permission/,
  )
  await superuser.end()
})
