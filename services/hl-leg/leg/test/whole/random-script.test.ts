import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { judge, requireMark } from '../money/transfer-books.ts'
import { TransferScript } from '../money/transfer-script.ts'
import { REACHING, stepOf } from './steps.ts'
import { judgeOrders } from './whole-books.ts'
import { startWholeRig } from './whole-rig.ts'
import { WholeScript } from './whole-script.ts'

const rig = opened(() => startWholeRig())

const LONG = process.env['TEST_LONG'] === '1'
const SCRIPTS = Number(process.env['TEST_SCRIPTS'] ?? (LONG ? 1_000 : 30))
const LENGTH = LONG ? { minLength: 6, maxLength: 20 } : { minLength: 4, maxLength: 12 }
let owners = 0

test('after any script of orders, transfers, lost keys, foreign acts, faults and kills nothing was executed or sent twice, every row is what the venue says, and whatever counted in a mark was explained', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stepOf({ hangs: LONG }), LENGTH), async (steps) => {
      owners += 1
      const { mandate, leg } = await rig.newLeg(owners)
      const script = new WholeScript(rig, leg, new TransferScript(rig, rig.second, mandate))
      script.calm()
      for (const [n, one] of steps.entries()) {
        rig.rig.advance(5)
        await script.play(one)
        if (LONG || n % 3 === 0) await requireMark(rig, script.money)
      }
      await script.settle()
      await judgeOrders(rig, script)
      await judge(rig, script.money)
      rig.rig.advance(5)
      await script.money.mark({ process: 0, lives: null }, true)
      await requireMark(rig, script.money)
      await script.release()
    }),
    { numRuns: SCRIPTS, seed: 15, endOnFailure: true, examples: REACHING.map((steps) => [[...steps]]) },
  )
  const ends = await rig.rig.pool.anyFirst(sql.type(z.object({ state: z.string() }))`
      SELECT DISTINCT state FROM leg_order UNION SELECT DISTINCT kind || ' ' || state FROM transfer`)
  expect(ends, 'the scripts reach these ends').toEqual(
    expect.arrayContaining(['filled', 'missed', 'rejected', 'fund delivered', 'return confirmed']),
  )
  const signed = Object.keys(rig.rig.venue.control('counts') as object).filter((name) => name.startsWith('exchange '))
  expect(signed.toSorted(), 'nothing outside the list is signed').toEqual([
    'exchange agentSendAsset',
    'exchange approveAgent',
    'exchange order',
    'exchange usdSend',
    'exchange userSetAbstraction',
  ])
})
