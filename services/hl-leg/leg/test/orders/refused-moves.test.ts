import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readLeg } from '#legs/store/legs.ts'
import { CLAIM_MS, goOnWithMoves, moveNow } from '#orders/move-collateral.ts'
import { resolveOrders } from '#orders/jobs/resolve-orders.ts'
import { refusedWhileCopied } from '@svc/venue-rig/sending-through'
import { startOrderRig, type TestLeg } from './order-rig.ts'

const rig = opened(() => startOrderRig())

beforeEach(() => {
  rig.venue.control('clear-faults')
  rig.venue.control('time', { skew_ms: 0, now_ms: rig.clock.now().getTime() })
})

const fault = (kind: string, count = 1, more: object = {}) =>
  rig.venue.control('fault', { kind, endpoint: 'exchange', type: 'agentSendAsset', count, ...more })
const move = { from: '', to: 'xyz', amountUsdc: '10' }
const moveRow = z.object({ state: z.string(), reason: z.string().nullable(), copies: z.number() })
const movesOf = ({ publicId }: TestLeg) =>
  rig.pool.any(sql.type(moveRow)`
    SELECT state, reason, effect_copies AS copies FROM collateral_move WHERE public_id = ${publicId} ORDER BY id`)
/** USDC of the leg's owner on the other dex. */
const moved = (leg: TestLeg) => rig.accountOf(leg).dexes['xyz']?.raw ?? '0'
async function send(leg: TestLeg, context = rig.context) {
  const found = await readLeg(rig.pool, leg.publicId)
  return found === null ? expect.fail('no leg') : moveNow(context, found, move)
}
async function goOn(ms: number) {
  rig.advance(ms)
  await resolveOrders(rig.context)(AbortSignal.timeout(600_000))
}

describe('a move of collateral whose answer is lost', () => {
  test.each([
    ['while its bytes are good', 3_000],
    ['when its bytes have expired', 40_000],
  ])('is done once when another run goes on %s', async (_, ms) => {
    const leg = await rig.newLeg()
    fault('drop')
    await send(leg)
    await goOn(ms)
    expect([await movesOf(leg), Number(moved(leg))]).toEqual([[{ state: 'done', reason: null, copies: 1 }], 10])
  })

  test('is done, whatever a later copy is told', async () => {
    const leg = await rig.newLeg()
    fault('drop')
    await send(leg)
    // The ledger has no entry yet, the venue forgets the nonce, and refuses the next copy.
    rig.venue.control('fault', { kind: 'empty', endpoint: 'info', type: 'userNonFundingLedgerUpdates' })
    for (const signer of Object.keys(rig.venue.state.nonces)) rig.venue.control('prune', { nonces: signer })
    fault('refuse', 1, { text: 'Action already expired' })
    await goOn(3_000)
    expect(await movesOf(leg)).toMatchObject([{ state: 'signed', copies: 2 }])
    await goOn(3_000)
    expect([await movesOf(leg), Number(moved(leg))]).toMatchObject([[{ state: 'done' }], 10])
  })
})

test('a move that never reached the venue fails once the venue is 15 s past its expiry', async () => {
  const leg = await rig.newLeg()
  fault('status500', 1_000)
  await send(leg)
  await goOn(29_000)
  expect(await movesOf(leg)).toMatchObject([{ state: 'signed' }])
  await goOn(3_000)
  expect([await movesOf(leg), moved(leg)]).toMatchObject([
    [{ state: 'failed', reason: 'the venue never executed the move' }],
    '0',
  ])
})

test('a move whose only copy the venue refuses fails at once', async () => {
  const leg = await rig.newLeg()
  fault('refuse', 1, { text: 'Insufficient balance for token transfer' })
  await send(leg)
  expect(await movesOf(leg)).toEqual([
    { state: 'failed', reason: 'Insufficient balance for token transfer', copies: 1 },
  ])
})

test('a move whose nonce the venue took for a copy that it refused afterwards moved nothing, and fails', async () => {
  const leg = await rig.newLeg({ usdc: '5' })
  fault('drop')
  await send(leg)
  await goOn(3_000)
  expect(await movesOf(leg)).toMatchObject([{ state: 'signed' }])
  await goOn(30_000)
  expect([await movesOf(leg), moved(leg)]).toMatchObject([[{ state: 'failed' }], '0'])
})

test('a refusal that one process is told does not end a move of which another one sends a copy', async () => {
  const leg = await rig.newLeg()
  fault('refuse')
  const other = await rig.second()
  await refusedWhileCopied([rig.context, other], async (context) => {
    if (Object.getPrototypeOf(context) !== other) await send(leg, context)
    else {
      // The first process stands still for so long that another one takes the move over.
      rig.advance(CLAIM_MS + 1)
      await goOnWithMoves(context, 100)
    }
    return true
  })
  expect([await movesOf(leg), Number(moved(leg))]).toEqual([[{ state: 'done', reason: null, copies: 2 }], 10])
})
