import { spawn, type ChildProcess } from 'node:child_process'
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
  let child: ChildProcess
  let exited: Promise<unknown>
  let output = ''
  const printed = (text: string) => eventually(() => output.includes(text), { timeoutMs: HANG_MS, everyMs: 200 })

  beforeAll(async () => {
    const line = `exec node tools/with-node24.mjs tools/web/world.ts ${file}`
    child = spawn('sh', ['-c', line], { cwd: root, stdio: 'pipe' })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    exited = once(child, 'exit')
    await printed('kill -USR2')
  }, HANG_MS)
  afterAll(async () => {
    child.kill('SIGINT')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }, HANG_MS)

  test(
    'pictures are taken of the scenes that words choose',
    async () => {
      expect(await runShell('npm run shots -- docs ko', { WEB_WORLD: file })).toMatch(/^[1-9]\d* pictures in /m)
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
      const line = 'npx vitest run --project web packages/web/test/e2e/shell.e2e.ts'
      expect(await runShell(line, { WEB_WORLD: file })).toMatch(/ passed/)
    },
    HANG_MS,
  )

  test(
    'SIGUSR2 builds the pages anew and serves them',
    async () => {
      const [command = ''] = /kill -USR2 \d+/.exec(output) ?? []
      await runShell(command)
      await printed('built and served')
      expect((await fetch(`${/(\S+) is ready/.exec(output)?.[1]}`)).status).toBe(200)
    },
    HANG_MS,
  )
})
