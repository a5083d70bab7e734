import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { CLAIM_MS } from '#orders/order-adapter.ts'
import { placeLegOrder } from '#orders/operations/place-leg-order.ts'
import { refusedWhileCopied } from '@svc/venue-rig/sending-through'
import { callOf } from './dying.ts'
import { asAgent, startOrderRig } from './order-rig.ts'

const rig = opened(() => startOrderRig())

test('an order that the venue refused before it took the nonce ends only if nobody else sends a copy, which may still execute', async () => {
  const leg = await rig.newLeg()
  const order = {
    public_id: leg.publicId,
    market: 'hl:BTC',
    side: 'buy' as const,
    amount_usdc: '100',
    reduce_only: false,
    dry_run: false,
  }
  rig.venue.control('fault', { kind: 'refuse', endpoint: 'exchange' })
  const other = await rig.second()
  const [first, copy] = await refusedWhileCopied([rig.context, other], async (context) => {
    // The first process stands still for so long that another one takes the order over.
    if (Object.getPrototypeOf(context) === other) rig.advance(CLAIM_MS + 1)
    return placeLegOrder(context)(order, callOf(rig, context, leg, 'same'))
  })
  expect(first).toMatchObject({ status: 202, body: { code: 'order_unresolved' } })
  const filled = { order: { status: 'filled', filled_size: '0.00158' } }
  expect(copy).toMatchObject({ status: 200, body: filled })
  expect([rig.positionOf(leg, 'BTC'), rig.accountOf(leg).orders.length]).toEqual(['0.00158', 1])
  expect(await asAgent(rig, leg, 'same').placeLegOrder(order)).toMatchObject(filled)
})
