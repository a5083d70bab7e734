import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pendingMax, recordAfter, type MinerRecord } from './miner-record.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const FRESH: MinerRecord = { approved: 0, rejected: 0, rejections_in_a_row: 0, paused_until: null }

describe('record of a miner', () => {
  it('lets a new account have 10 pending entries, two more for each approval, and never more than 50', () => {
    expect([0, 1, 5, 19, 20, 1_000].map((approved) => pendingMax({ approved }))).toEqual([10, 12, 20, 48, 50, 50])
  })

  it('pauses a miner for a day at the third rejection in a row', () => {
    const two = recordAfter(recordAfter(FRESH, 'rejected', NOW), 'rejected', NOW)
    expect(two.paused_until).toBeNull()
    expect(recordAfter(two, 'rejected', NOW)).toMatchObject({
      paused_until: '2026-11-22T12:00:00.000Z',
      rejections_in_a_row: 0,
    })
    expect(recordAfter(recordAfter(two, 'approved', NOW), 'rejected', NOW).paused_until).toBeNull()
  })

  it('pauses a miner exactly at three rejections in a row since the last pause or approval', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('approved' as const, 'rejected' as const), { maxLength: 40 }),
        (decisions) => {
          let record = FRESH
          let row = 0
          for (const status of decisions) {
            row = status === 'approved' ? 0 : row + 1
            record = recordAfter({ ...record, paused_until: null }, status, NOW)
            expect(record.paused_until !== null).toBe(row === 3)
            if (row === 3) row = 0
          }
          expect(record.approved + record.rejected).toBe(decisions.length)
        },
      ),
    )
  })
})
