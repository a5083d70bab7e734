import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@svc/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HANG_MS, runShell } from '#check/run-shell.ts'

const root = join(import.meta.dirname, '../..')

describe.runIf(process.env['TEST_LONG'] === '1')('commands for the pages, on a world of their own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pages-'))
  const file = join(folder, 'world.json')
  const child = { kill: (_: NodeJS.Signals): void => {}, exited: Promise.resolve<unknown>(null) }
  let output = ''
  const printed = (text: string) => eventually(() => output.includes(text), { timeoutMs: HANG_MS, everyMs: 200 })

  beforeAll(async () => {
    const line = `exec node tools/with-node24.mjs tools/web/world.ts ${file}`
    const started = spawn('sh', ['-c', line], { cwd: root, stdio: 'pipe' })
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.exited = once(started, 'exit')
    child.kill = (signal) => void process.kill(Number(/kill -USR2 (\d+)/.exec(output)?.[1] ?? started.pid), signal)
    await printed('kill -USR2')
  }, HANG_MS)
  afterAll(async () => {
    child.kill('SIGINT')
    await child.exited
    rmSync(folder, { recursive: true, force: true })
  }, HANG_MS)

  test(
    'pictures are taken of the scenes that words choose',
    async () => {
      expect(await runShell('npm run shots -- mandate ko', { WEB_WORLD: file })).toMatch(/^[1-9]\d* pictures in /m)
    },
    HANG_MS,
  )

  test(
    'the two pictures of the README are taken',
    async () => {
      mkdirSync(join(folder, 'docs/pictures'), { recursive: true })
      await runShell(`cd ${folder} && node ${root}/tools/web/shots.ts --readme`, { WEB_WORLD: file })
      expect(readdirSync(join(folder, 'docs/pictures')).toSorted()).toEqual(['home.png', 'mandate.png'])
    },
    HANG_MS,
  )

  test(
    'browser tests use this world',
    async () => {
      const line = 'npx vitest run --project web packages/web/test/e2e/figures.e2e.ts'
      expect(await runShell(line, { WEB_WORLD: file })).toMatch(/ passed/)
    },
    HANG_MS,
  )

  test(
    'SIGUSR2 builds the pages anew and serves them',
    async () => {
      child.kill('SIGUSR2')
      await printed('built and served')
    },
    HANG_MS,
  )
})
