import { LOOKS_BEFORE_ALARM } from '@svc/outbound/rules'
import { metricsText } from '@svc/service'
import { opened, refusalOf } from '@svc/testing'
import { expectFires, scrapeHere } from '@svc/testing/alerts'
import { beforeEach, describe, expect, test } from 'vitest'
import { resolveOrders } from '#orders/jobs/resolve-orders.ts'
import { asAgent, startOrderRig, type TestLeg } from './order-rig.ts'

const rig = opened(() => startOrderRig())

beforeEach(() => {
  rig.venue.control('clear-faults')
  rig.venue.control('time', { skew_ms: 0, now_ms: rig.clock.now().getTime() })
  rig.venue.control('book', { coin: 'BTC', policy: 'refill', ladder: { size: '2', levels: 20 } })
})

const buy = (leg: TestLeg) => ({ public_id: leg.publicId, market: 'hl:BTC', side: 'buy', amount_usdc: '100' }) as const
const fault = (kind: string, endpoint: 'info' | 'exchange', type: string, count = 10_000) =>
  rig.venue.control('fault', { kind, endpoint, type, count })
/** Loses the answer to the next order; every listing keeps the size of the order as what remains. */
function loseAnswer() {
  fault('drop', 'exchange', 'order', 1)
  fault('stale-sz', 'info', 'orderStatus')
}
async function goOn() {
  rig.advance(3_000)
  await resolveOrders(rig.context)(AbortSignal.timeout(600_000))
}
const endsOf = (leg: TestLeg) =>
  [...rig.books.ended.values()]
    .filter(({ public_id }) => public_id === leg.publicId)
    .map(({ outcome, filled_size }) => [outcome, filled_size])
const alarms = async () =>
  Number(/^hub_venue_contradictions_total\{[^}]*kind="leg_order"[^}]*\} (\d+)/m.exec(await metricsText())?.[1] ?? 0)

describe('an order that the venue lists as filled with nothing executed', () => {
  test('is resolved from its executions', async () => {
    const leg = await rig.newLeg()
    loseAnswer()
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({
      order: { status: 'filled', filled_size: '0.00158', fee_usdc: '0.042664' },
    })
    expect([rig.positionOf(leg, 'BTC'), endsOf(leg)]).toEqual(['0.00158', [['filled', '0.00158']]])
  })

  test('stays open while its executions are not listed, and never lets the next open execute beside it', async () => {
    const leg = await rig.newLeg()
    loseAnswer()
    fault('empty', 'info', 'userFillsByTime')
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({ code: 'order_unresolved' })
    // Also long after its expiry.
    for (let run = 0; run < 12; run += 1) await goOn()
    expect(await refusalOf(asAgent(rig, leg, 'next').placeLegOrder(buy(leg)))).toMatchObject({
      code: 'hub_leg_open_in_flight',
    })
    expect(endsOf(leg)).toEqual([])
    rig.venue.control('clear-faults')
    fault('stale-sz', 'info', 'orderStatus')
    await goOn()
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({
      order: { status: 'filled', filled_size: '0.00158' },
    })
    expect([rig.positionOf(leg, 'BTC'), endsOf(leg)]).toEqual(['0.00158', [['filled', '0.00158']]])
  })

  test('raises an alarm once each ten look-ups', async () => {
    const leg = await rig.newLeg()
    const [before, scraped] = [await alarms(), await scrapeHere()]
    loseAnswer()
    fault('empty', 'info', 'userFillsByTime')
    await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))
    const raised: number[] = []
    for (let run = 0; run < 2 * LOOKS_BEFORE_ALARM; run += 1) {
      await goOn()
      raised.push((await alarms()) - before)
    }
    expect([raised[0], raised.at(-1)]).toEqual([0, 2])
    await expectFires('VenueContradictsItself', { before: [scraped], after: [await scrapeHere()] })
    rig.venue.control('clear-faults')
    await goOn()
    expect(endsOf(leg)).toEqual([['filled', '0.00158']])
  })
})

test('a partly executed order whose listed size is stale is resolved when no execution can be added', async () => {
  const leg = await rig.newLeg()
  rig.venue.control('book', { coin: 'BTC', policy: 'taken', asks: [{ px: '60001', sz: '0.001' }] })
  loseAnswer()
  expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({ code: 'order_unresolved' })
  await goOn()
  expect(endsOf(leg)).toEqual([])
  await goOn()
  expect([rig.positionOf(leg, 'BTC'), endsOf(leg)]).toEqual(['0.001', [['filled', '0.001']]])
})
