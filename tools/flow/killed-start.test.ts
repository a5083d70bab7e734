import { spawn, type ChildProcess } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, LOCAL_CHAIN_ID, readPassword, rpc, withClient } from '@svc/servers'
import { eventually } from '@svc/testing'
import { afterAll, describe, expect, test } from 'vitest'

const launcher = fileURLToPath(new URL('../with-node24.mjs', import.meta.url))
const command = fileURLToPath(new URL('../dev/main.ts', import.meta.url))
const LONG = process.env['TEST_LONG'] === '1'
const KILLS = 20
/** Kills happen within this time of a start. */
const KILL_WITHIN_MS = 40_000
/** More than a start mines by itself, so that the chain stays behind until the ready line. */
const LOST_BLOCKS = 80
/** Limit for one start that hangs; a quiet machine needs ten seconds. */
const START_MAX_MS = 600_000

const dir = mkdtempSync(join(tmpdir(), 'svc-killed-'))
const children: ChildProcess[] = []
afterAll(() => {
  children.forEach(kill)
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
})

interface Start {
  readonly child: ChildProcess
  readonly port: number
  readonly ended: Promise<number | null>
  output(): string
  errors(): string
}

async function start(dataDir: string, ...args: readonly string[]): Promise<Start> {
  const port = await freePort()
  const words = [launcher, command, '--tokens', '30', '--port', String(port), '--data', dataDir, ...args]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  children.push(child)
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve))
  return { child, port, ended, output: () => output, errors: () => errors }
}

/** `kill -9` for the command and its launcher; the servers end with it. */
function kill({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
}

/** Kills a start once its output matches. */
async function killAt(one: Start, moment: RegExp): Promise<void> {
  const reached = eventually(() => moment.test(one.output()), { timeoutMs: START_MAX_MS })
  await Promise.race([reached, one.ended])
  kill(one.child)
  await one.ended
  expect(one.output()).toMatch(moment)
}

/** Resolves with the ready line of a start; null if it ended before. */
async function readyLine(one: Start): Promise<string | null> {
  const line = eventually(() => /^ready .*$/m.exec(one.output())?.[0] ?? false, { timeoutMs: START_MAX_MS })
  return Promise.race([line.then(String), one.ended.then(() => null)])
}

/** What `/health` answers. */
async function healthOf({ port }: Start): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`http://127.0.0.1:${port}/health`)
  return { status: response.status, body: await response.json() }
}

const chainUrl = (dataDir: string) =>
  (JSON.parse(readFileSync(join(dataDir, 'platform.json'), 'utf8')) as { chain: string }).chain
const headOf = async (dataDir: string) => Number(await rpc(chainUrl(dataDir), 'eth_blockNumber'))

/** The newest block that each reader of the chain has stored, with its hash. */
async function readBlocks(dataDir: string): Promise<readonly { number: number; hash: string }[]> {
  const { postgres } = JSON.parse(readFileSync(join(dataDir, 'ports.json'), 'utf8')) as { postgres: number }
  const url = `postgres://postgres:${readPassword(dataDir, 'postgres')}@127.0.0.1:${postgres}/platform`
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ number: string; hash: string }>(
      'SELECT anchor_number AS number, anchor_hash AS hash FROM chain_indexer.cursor WHERE chain_id = $1',
      [LOCAL_CHAIN_ID],
    )
    return rows.map(({ number, hash }) => ({ number: Number(number), hash }))
  })
}

/** Expects a platform that says it is ready without a reservation, and whose readers have read the chain that is there. */
async function expectConsistent(one: Start, dataDir: string): Promise<void> {
  expect(await readyLine(one), one.errors()).toBe(`ready http://127.0.0.1:${one.port}`)
  expect(await healthOf(one)).toEqual({ status: 200, body: { ok: true } })
  const head = await headOf(dataDir)
  // Readers need a run to take back what the kill took from the chain.
  await eventually(
    async () => {
      const blocks = await readBlocks(dataDir)
      expect(blocks.length).toBeGreaterThan(0)
      for (const { number, hash } of blocks) {
        expect(number).toBeGreaterThanOrEqual(head)
        const block = (await rpc(chainUrl(dataDir), 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false])) as {
          hash: string
        } | null
        expect(block?.hash).toBe(hash)
      }
    },
    { timeoutMs: START_MAX_MS },
  )
}

/** Expects what may follow a kill: a consistent platform, or one sentence with what to delete, which is then done. */
async function expectGoodNext(dataDir: string): Promise<'ready' | 'sentence'> {
  const next = await start(dataDir)
  if ((await readyLine(next)) !== null) {
    await expectConsistent(next, dataDir)
    kill(next.child)
    await next.ended
    return 'ready'
  }
  expect(next.errors()).toMatch(/^[^\n]*\b(?:delete|remove)\b[^\n]*\.\n$/)
  expect(next.errors()).toContain(dataDir)
  rmSync(dataDir, { recursive: true, force: true })
  return 'sentence'
}

/** Returns numbers from 0 to 1 that follow from a seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

// Each start costs ten seconds of CPU, so these tests share a data folder.
describe('a data folder', () => {
  const dataDir = join(dir, 'kept')
  const older = join(dir, 'older-chain.json')

  test(
    'is ready and consistent at the start after a kill during its first start',
    async () => {
      await killAt(await start(dataDir), / chain-indexer is ready after /)
      const next = await start(dataDir)
      await expectConsistent(next, dataDir)
      copyFileSync(join(dataDir, 'chain-state.json'), older)
      const head = await headOf(dataDir)
      for (let block = 0; block < LOST_BLOCKS; block += 1) await rpc(chainUrl(dataDir), 'evm_mine')
      await eventually(
        async () => {
          const blocks = await readBlocks(dataDir)
          expect(Math.min(...blocks.map(({ number }) => number))).toBeGreaterThanOrEqual(head + LOST_BLOCKS)
        },
        { timeoutMs: START_MAX_MS },
      )
      next.child.kill('SIGTERM')
      expect(await next.ended).toBe(0)
    },
    START_MAX_MS,
  )

  test(
    'whose chain is behind its database says so in the ready line, and /health is not ok',
    async () => {
      copyFileSync(older, join(dataDir, 'chain-state.json'))
      const next = await start(dataDir)
      expect(await readyLine(next)).toMatch(
        /^ready http:\S+ \(the local chain is behind its database by \d+ blocks?, .*: restore \S+chain-state\.json from a backup, or stop, delete \S+ and start again\)$/,
      )
      expect(await healthOf(next)).toEqual({
        status: 503,
        body: { ok: false, problems: [{ code: 'chain_behind', message: expect.stringMatching(/ by \d+ blocks?:/) }] },
      })
      kill(next.child)
      await next.ended
    },
    START_MAX_MS,
  )
})

test(
  'a start after a kill during a history ends with one sentence that says which folder to delete',
  async () => {
    const dataDir = join(dir, 'history')
    await killAt(await start(dataDir, '--with-history'), / services in the past /)
    const next = await start(dataDir)
    expect(await next.ended).toBe(1)
    expect(next.errors()).toBe(
      `The history of ${dataDir} was interrupted before its end: delete ${dataDir} and start again.\n`,
    )
  },
  START_MAX_MS,
)

test.runIf(LONG)(
  `${KILLS} kills at random moments of the first ${KILL_WITHIN_MS / 1000} seconds, also during a history, leave a folder that starts or says what to delete`,
  async () => {
    const seed = Number(process.env['TEST_SEED'] ?? 1)
    const random = randomOf(seed)
    for (let round = 0; round < KILLS; round += 1) {
      const isHistory = round % 4 === 3
      const dataDir = isHistory ? join(dir, `history-${round}`) : join(dir, 'random')
      const one = await start(dataDir, ...(isHistory ? ['--with-history'] : []))
      const killMs = Math.floor(random() * KILL_WITHIN_MS)
      await delay(killMs)
      kill(one.child)
      await one.ended
      const outcome = existsSync(dataDir) ? await expectGoodNext(dataDir) : 'nothing written'
      process.stdout.write(`seed ${seed}: ${isHistory ? 'history' : 'start'} killed after ${killMs} ms: ${outcome}\n`)
      if (isHistory) rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    }
  },
  KILLS * START_MAX_MS,
)
