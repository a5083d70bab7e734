import { HANG_MS, runShell } from './run-shell.ts'
import { expect, test } from 'vitest'

test.runIf(process.env['TEST_LONG'] === '1').each(['ledger', 'leg'])(
  'npm run bench measures %s alone in its short form',
  async (name) => {
    expect(await runShell(`npm run bench -- --only ${name} --short`)).toMatch(/^\| .* \| (?:yes|no|–) \|/m)
  },
  HANG_MS,
)
