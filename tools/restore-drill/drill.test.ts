import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drill } from './drill.ts'

const LONG = process.env['TEST_LONG'] === '1'

test.runIf(LONG)(
  'a platform that was destroyed is restored to a moment: ledger, records, feeds, cursors, outboxes and files are as at the moment, and payouts that were on their way are booked once',
  { timeout: 600_000, retry: 0 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-drill-'))
    const said: string[] = []
    try {
      const { comparisons, rpoSec, rtoSec } = await drill({ folder, say: (line) => said.push(line) })
      expect(comparisons.length).toBeGreaterThan(12)
      expect(comparisons.filter(({ differs }) => differs !== null)).toEqual([])
      expect(rpoSec).toBeGreaterThan(0)
      expect(rtoSec).toBeGreaterThan(0)
    } catch (error) {
      throw new Error(`${String(error)}\n${said.join('\n')}`, { cause: error })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
