import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@svc/servers'
import { afterAll, afterEach, expect, test } from 'vitest'
import { makeLoad, serversOf, slowServers } from './load.ts'

const launcher = fileURLToPath(new URL('../../with-node24.mjs', import.meta.url))
const command = fileURLToPath(new URL('../../dev/main.ts', import.meta.url))
/** Each round starts three platforms: one that was killed before, a new one, and a new one with slow servers. */
const rounds = 7
const roundMs = 9 * 60_000

const dir = mkdtempSync(join(tmpdir(), 'svc-load-'))
const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0).reverse()) cleanUp()
})
// Writers that were killed may still end a write.
afterAll(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))

interface Start {
  /** Last line of the output, and the whole error output. */
  readonly outcome: Promise<{ last: string; errors: string }>
  readonly kill: () => void
}

/** Starts a platform and waits until it is ready or has ended. */
async function start(dataDir: string): Promise<Start> {
  const child = spawn(process.execPath, [launcher, command, '--port', String(await freePort()), '--data', dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const kill = () => {
    for (const pid of [-(child.pid ?? 0), ...serversOf(dataDir)])
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended by itself.
      }
  }
  cleanUps.push(kill)
  let output = ''
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const last = () => output.trimEnd().split('\n').at(-1) ?? ''
  const outcome = new Promise<{ last: string; errors: string }>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (last().startsWith('ready ')) resolve({ last: last(), errors })
    })
    child.once('close', () => resolve({ last: last(), errors }))
  })
  return { outcome, kill }
}

/** Returns true if a start became ready or named in one sentence what it waited for. */
const good = ({ last, errors }: { last: string; errors: string }) =>
  last.startsWith('ready http') ||
  /^Waited \d+ s for [^\n]*\.\n$|^\w[^\n]* was not ready after [^\n]*\.\n$/.test(errors)

// One round takes a minute and a half, so only the long run has it. `start-command` starts again after kill -9.
test.runIf(process.env['TEST_LONG'] === '1')(
  'a start on a busy machine with slow disks and slow servers, after kill -9, beside another start, becomes ready or names in one sentence what it waited for',
  async () => {
    const kept = join(dir, 'kept')
    const first = await start(kept)
    expect((await first.outcome).last).toMatch(/^ready /)
    first.kill()
    cleanUps.push(makeLoad(dir))
    for (let round = 0; round < rounds; round += 1) {
      const slow = join(dir, `slow-${round}`)
      const starts = [await start(kept), await start(join(dir, `new-${round}`)), await start(slow)]
      const thaw = slowServers(slow)
      // What has started would only work beside those that have not.
      const ended = async ({ outcome, kill }: Start) => outcome.finally(kill)
      const outcomes = await Promise.all(starts.map(ended))
      thaw()
      expect(outcomes.filter((one) => !good(one))).toEqual([])
      expect(outcomes[0]?.last).toMatch(/^ready /)
    }
  },
  rounds * roundMs,
)
