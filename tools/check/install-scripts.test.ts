import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from './run-command.ts'

const root = dirname(dirname(import.meta.dirname))

test('an installation runs no scripts of packages', async () => {
  const { output } = await runCommand(['npm', 'config', 'get', 'ignore-scripts', '--loglevel=error'], {
    cwd: root,
    env: { npm_config_userconfig: '/dev/null' },
    timeoutMs: 600_000,
  })
  expect(output.trim().split('\n').at(-1)).toBe('true')
})
