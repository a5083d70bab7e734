import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@svc/servers'
import { eventually } from '@svc/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandsIn } from '../check/commands-in.ts'
import { HANG_MS, runShell } from '../check/run-shell.ts'
import { ask } from './client.ts'
import { newDataFolder } from './data-folder.ts'

const root = join(import.meta.dirname, '../..')
const LONG = process.env['TEST_LONG'] === '1'
const STARTED = { timeoutMs: HANG_MS, everyMs: 200 }

interface Started {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a platform by a command of the README, with a port of its own and a small market. */
async function startByCommand(line: string): Promise<Started> {
  const child: ChildProcess = spawn('sh', ['-c', `exec ${line} --port ${await freePort()} --tokens 30`], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = once(child, 'exit')
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGINT')
    await exited
  }
  const ready = () => /^ready (\S+)$/m.exec(output)?.[1]
  await eventually(() => ready() !== undefined || child.exitCode !== null, STARTED)
  const url = ready()
  if (url === undefined) throw new Error(`${line} did not start: ${output.slice(-2_000)}`)
  return { url, stop }
}

const dataDir = newDataFolder('commands')
let platform: Started
beforeAll(async () => {
  platform = await startByCommand(`npm start -- --data ${dataDir}`)
}, HANG_MS)
afterAll(async () => {
  await platform?.stop()
  rmSync(dataDir, { recursive: true, force: true })
}, HANG_MS)

const README = readFileSync(join(root, 'README.md'), 'utf8')
const curls = commandsIn('README.md', README).filter((command) => command.startsWith('curl '))

test.each(curls)('on a platform of npm start, %s answers JSON', async (command) => {
  const answer = await runShell(command.replace('http://127.0.0.1:8080', platform.url).replace('curl', 'curl -fsS'))
  expect(Object.keys(JSON.parse(answer) as object).length).toBeGreaterThan(0)
})

test(
  'the switch of live trading applies while the platform runs',
  async () => {
    const station = () => ask(platform.url, '/hub/info/station-status')
    const isLive = async () => (await station()).body.live_trading === true
    await runShell(`echo 1 > ${dataDir}/switches/SVC_LIVE_TRADING_ENABLED`)
    await eventually(isLive, STARTED)
    rmSync(join(dataDir, 'switches/SVC_LIVE_TRADING_ENABLED'))
    await eventually(async () => !(await isLive()), STARTED)
  },
  HANG_MS,
)

test.each([
  'npm run demo -- --short --data',
  'npm run demo -- trade --data',
  'npm run demo -- leg --data',
  ...(LONG ? ['npm run demo -- --data'] : []),
])(
  '%s goes as the documents say',
  async (line) => {
    expect(await runShell(`${line} ${dataDir}`)).toMatch(/went as the documents say: \d+ steps/)
  },
  HANG_MS,
)

test.runIf(LONG)(
  'npm start with a history makes a platform on which the demo of the public side plays',
  async () => {
    const folder = newDataFolder('with-history')
    // A history begins in a new folder only.
    rmSync(folder, { recursive: true })
    const started = await startByCommand(`npm start -- --with-history --data ${folder}`)
    try {
      const output = await runShell(`npm run demo -- public --data ${folder}`)
      expect(output).toMatch(/The public side went as the documents say/)
    } finally {
      await started.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
  HANG_MS,
)
