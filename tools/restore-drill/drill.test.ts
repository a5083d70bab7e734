import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '#check/run-command.ts'

const root = join(import.meta.dirname, '../..')
const LONG = process.env['TEST_LONG'] === '1'
/** Comparisons that the drill must print as equal: without a chain it has no mandate, record or cursor of the chain. */
const COMPARED = LONG ? 16 : 14
const HANG_MS = 2_400_000

test(
  'the restore drill ends with 0 and finds nothing different after everything was destroyed',
  { timeout: HANG_MS, retry: 0 },
  async () => {
    const command = ['node', 'tools/restore-drill/main.ts', ...(LONG ? [] : ['--short'])]
    const { code, output } = await runCommand(command, { cwd: root, timeoutMs: HANG_MS })
    expect(code, output).toBe(0)
    expect(output).not.toMatch(/^DIFFERS/m)
    expect(output.match(/^same /gm)).toHaveLength(COMPARED)
    expect(output).toMatch(/^same +3 payouts that were on their way are booked once each$/m)
    expect(output).toMatch(/^same +all balances sum to zero$/m)
    expect(output).toMatch(/^RPO \d+\.\d s/m)
    expect(output).toMatch(/^RTO \d+\.\d s/m)
  },
)
