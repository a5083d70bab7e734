import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@svc/servers'
import { eventually } from '@svc/testing'
import { expect, test } from 'vitest'
import { HANG_MS, runShell } from '#check/run-shell.ts'
import { lastRelease } from './release.ts'

// An overlay of all services takes minutes of CPU; tools/manifest-runner/overlay.test.ts runs three of them each time.
const LONG = process.env['TEST_LONG'] === '1'
const RUNNER = 'node tools/with-node24.mjs tools/manifest-runner/main.ts'

test.runIf(LONG).for([
  ['e2e --job hl-leg-stop-line', 'hl-leg-stop-line: complete'],
  ['tests/e2e-tls --job hl-leg-stop-line', 'hl-leg-stop-line: complete'],
  ['e2e --roll', '"failures": []'],
  ['e2e --roll --from', '"failures": []'],
] as const)(
  'the command of the manifest runner with %s ends with 0',
  { timeout: 2 * HANG_MS },
  async ([words, prints]) => {
    const ref = words.endsWith('--from') ? ` ${await lastRelease()}` : ''
    expect(await runShell(`${RUNNER} ${words}${ref} --port ${await freePort()}`)).toContain(prints)
  },
)

test.runIf(LONG)(
  'e2e --data DIR runs until it is interrupted',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-manifests-'))
    const line = `${RUNNER} e2e --data ${folder} --port ${await freePort()}`
    const child = spawn('sh', ['-c', `exec ${line}`], { cwd: join(import.meta.dirname, '../..'), stdio: 'pipe' })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const exited = once(child, 'exit')
    try {
      await eventually(() => /^ready /m.test(output) || child.exitCode !== null, { timeoutMs: HANG_MS })
      child.kill('SIGINT')
      expect(await exited, output.slice(-2_000)).toEqual([0, null])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  2 * HANG_MS,
)
