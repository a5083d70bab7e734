import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from './run-command.ts'

const root = join(import.meta.dirname, '../..')
const TIMEOUT_MS = 120_000

test(
  'the shell blocks of docs/operations.md run as they stand, but for those that need an API server',
  async () => {
    const text = await readFile(join(root, 'docs/operations.md'), 'utf8')
    const blocks = [...text.matchAll(/^```sh( not run)?\n([\s\S]*?)^```$/gm)].map(([, mark, script = '']) => ({
      mark,
      script,
    }))
    const run = blocks.filter(({ mark }) => mark === undefined)
    // Every block is one of the two: none in another language escapes.
    expect(blocks).toHaveLength([...text.matchAll(/^ *```\S/gm)].length)
    expect(run.length).toBeGreaterThanOrEqual(3)
    for (const { mark, script } of blocks)
      expect({ script, needsCluster: /^(kubectl|argocd|kubeseal|node tools\/dev\/setup\.ts)\b/m.test(script) }).toEqual(
        {
          script,
          needsCluster: mark !== undefined,
        },
      )
    const work = await mkdtemp(join(tmpdir(), 'svc-operations-'))
    try {
      const script = `set -eu\nWORK=${work}\n${run.map((block) => block.script).join('\n')}`
      const ended = await runCommand(['sh', '-c', script], { cwd: root, timeoutMs: TIMEOUT_MS })
      expect(ended.code, ended.output).toBe(0)
      expect(ended.output).toContain('gateway → nats:4222')
    } finally {
      await rm(work, { recursive: true })
    }
  },
  TIMEOUT_MS,
)
