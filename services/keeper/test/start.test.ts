import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { read } from '@svc/chain'
import type { Environment } from '@svc/contract'
import { runOutbound } from '@svc/outbound'
import { openPool, sql } from '@svc/postgres'
import { inherited, opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { runJob, runTask, start } from '#main.ts'
import { transactionKind } from '#transactions/store/transactions.ts'
import { calls, chainRig, environmentOf, KEEPER_KEY, startRig, USDC, wallets } from './rig.ts'

const chain = opened(() => chainRig())
const rig = opened(() => startRig(chain))

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

const environment = (more: Environment = {}): Environment => ({
  ...rig.stack.environmentOf('keeper'),
  ...environmentOf(chain),
  SVC_LOG_LEVEL: 'silent',
  ...more,
})

/** Runs the command line of the service until the process ends. */
async function ended(more: Environment, words: readonly string[] = []): Promise<{ code: unknown; said: string }> {
  const env = { ...inherited(), ...rig.stack.environmentOf('keeper'), ...environmentOf(chain), ...more }
  try {
    await promisify(execFile)(process.execPath, [main, ...words], { env: env as NodeJS.ProcessEnv, timeout: 600_000 })
    return { code: 0, said: '' }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string }
    return { code, said: stdout + stderr }
  }
}

test('the dev signer at any other than a local node ends the process with one sentence that does not contain the key', async () => {
  const { code, said } = await ended({ HUB_RPC_URL: 'https://rpc.example/v2/secret-path' })
  expect({ code, said }).toEqual({
    code: 1,
    said: 'HUB_KEEPER_MARK_SIGNER=dev is for an anvil of this machine with chain 31337 only: the RPC is on another machine. Use HUB_KEEPER_MARK_SIGNER=cdp.\n',
  })
  expect(said).not.toContain(KEEPER_KEY.slice(2))
})

test('a local node with the chain id of a real network in the settings is rejected at the start', async () => {
  await expect(start(environment({ HUB_CHAIN_ID: '8453' }))).rejects.toThrow(
    'HUB_RPC_URL serves chain 31337, but chain 8453 is expected',
  )
})

test('a live start is rejected if the signing account is not the keeper of the factory', async () => {
  const restore = await chain.anvil.snapshot()
  await chain.send(wallets.admin, calls.factory(chain.at('factory')).setKeeper({ k: wallets.operator.address }))
  const starting = start({ ...rig.stack.environmentOf('keeper'), ...environmentOf(chain) })
  await expect(starting).rejects.toThrow(
    `The signing account ${wallets.keeper.address} is not the keeper of the factory ${chain.at('factory')}, whose keeper is ${wallets.operator.address}`,
  )
  await restore()
})

test('a dry run starts without a signer and while its RPC is unavailable', async () => {
  const dry = {
    ...rig.stack.environmentOf('keeper'),
    ...environmentOf(chain),
    HUB_KEEPER_MARK_DRY_RUN: '1',
    HUB_KEEPER_MARK_SIGNER: 'cdp',
    HUB_RPC_URL: 'http://127.0.0.1:1',
  }
  const running = await start(dry)
  expect(await running.checks['postgres']?.()).toBe(true)
  await running.stop()
})

test('a job runs once by its name; it exits with 0 if it was done and 1 if a dependency is unavailable', async () => {
  const vault = await chain.vault(400n * USDC)
  rig.follow(vault)
  expect(await ended({}, ['--job', 'mark', '--once'])).toMatchObject({ code: 0 })
  const dry = { HUB_KEEPER_MARK_DRY_RUN: '1', HUB_KEEPER_MARK_SIGNER: 'cdp' }
  for (const away of [{ HUB_RPC_URL: 'http://127.0.0.1:1' }, { SVC_NATS_URL: 'nats://127.0.0.1:1' }])
    expect(await runJob('mark', environment({ ...dry, ...away }))).toBe(1)
  for (const job of ['send', 'send', 'settle', 'forgetTransactions'] as const) {
    expect(await runJob(job, environment())).toBe(0)
    await chain.anvil.mined()
  }
  expect(await read(chain.chain).vault(vault.address).lastWorth()).toBe(400n * USDC)
  expect(await ended({}, ['--job', 'paint', '--once'])).toEqual({
    code: 1,
    said: 'keeper has no job paint: use --job NAME --once with one of mark, settle, send, legMover, legReconcile, watchFunder, forgetTransactions.\n',
  })
})

test('a job that reaches the lock or statement timeout of workers is skipped with exit code 0', async () => {
  const superuser = await openPool(rig.stack.databaseOf('keeper').superuserUrl, { size: 1 })
  const [locked, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = superuser.transaction(async (tx) => {
    await tx.query(sql.unsafe`LOCK TABLE keeper.transaction`)
    locked.resolve()
    await done.promise
  })
  await locked.promise
  for (const name of ['HUB_WORKER_LOCK_TIMEOUT_MS', 'HUB_WORKER_STATEMENT_TIMEOUT_MS'])
    for (const job of ['send', 'forgetTransactions'] as const)
      expect(await runJob(job, environment({ [name]: '50' }))).toBe(0)
  done.resolve()
  await holding
  await superuser.end()
})

test('an operator lists open transactions, reads one and makes one due, which signs, sends and ends nothing', async () => {
  rig.follow(await chain.vault(400n * USDC))
  await rig.run('mark')
  await rig.pool.query(sql.unsafe`UPDATE transaction SET effect_next_at = '2100-01-01' WHERE ended_at IS NULL`)
  const given = { ...inherited(), ...rig.stack.environmentOf('keeper'), ...environmentOf(chain) } as NodeJS.ProcessEnv
  const { stdout } = await promisify(execFile)(process.execPath, [main, '--outbound', 'list'], { env: given })
  const [listed] = stdout.split('\n').filter((line) => line.startsWith('{"id"'))
  const row = z
    .object({ id: z.string() })
    .loose()
    .parse(JSON.parse(listed ?? ''))
  expect(row).toMatchObject({ effect_state: 'planned', effect_copies: 0, effect_next_at: '2100-01-01T00:00:00.000Z' })

  const lines: string[] = []
  const command = (...words: string[]) =>
    runOutbound({ runTask }, [transactionKind], words, environment(), (line) => void lines.push(line))
  const shown = async () => {
    lines.length = 0
    expect(await command('show', row.id)).toBe(0)
    return z.record(z.string(), z.unknown()).parse(JSON.parse(lines[0] ?? ''))
  }
  const before = await shown()
  expect(before).toMatchObject({ kind: 'mark', nonce: null, outcome: null })
  expect(await command('retry', row.id)).toBe(0)
  expect(await shown()).toEqual({ ...before, effect_next_at: expect.stringMatching(/^20[0-9]{2}-/) as string })
  expect((await shown())['effect_next_at']).not.toBe(before['effect_next_at'])

  await expect(command('show', 'transaction-999999')).rejects.toThrow('transaction-999999 does not exist.')
  await expect(command('end', row.id, 'done', '{}')).rejects.toThrow('only the machine ends effects of its kind')
  for (const words of [[], ['list', 'transaction-1'], ['show'], ['end', row.id], ['retry', 'order-1']])
    await expect(command(...words)).rejects.toThrow('Use --outbound list, show ID, retry ID or end ID OUTCOME EVIDENCE')
  await rig.pool.query(sql.unsafe`DELETE FROM transaction`)
  rig.neighbours.followed.clear()
})

test('a missing table ends the process with one line and code 2', async () => {
  const superuser = await openPool(rig.stack.databaseOf('keeper').superuserUrl, { size: 1 })
  await superuser.query(sql.unsafe`ALTER TABLE keeper.attempt RENAME TO gone`)
  const line = { code: 2, said: 'A table of keeper is missing: apply the migrations; workers change no schema.\n' }
  expect(await ended({})).toEqual(line)
  expect(await ended({}, ['--job', 'send', '--once'])).toEqual(line)
  // Only the switch for testing creates it, for which the role of the app has no right.
  await expect(start(environment({ HUB_WORKER_SCHEMA_ENSURE: '1' }))).rejects.toThrow(/permission/)
  await superuser.query(sql.unsafe`ALTER TABLE keeper.gone RENAME TO attempt`)
  await superuser.end()
})
