import { Outage } from '@svc/service'
import { opened } from '@svc/testing'
import type { Bytes, Cast, FaultyPeer, Step, TestProcess } from '@svc/outbound/testing'
import { playScript, quietStep, script } from '@svc/outbound/testing'
import type { Tx } from '@svc/postgres'
import type { VenueClient } from '@svc/venue/venue-client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Context } from '#context.ts'
import { CLAIM_MS, ownOrders } from '#orders/drive-trade.ts'
import {
  insertTrade,
  storeSignedTrade,
  tradeByConfirm,
  type ownOrderKind,
  type TradeEffect,
  type TradeOrder,
} from '#orders/store/trade-orders.ts'
import { tradeAdapter } from '#orders/trade-adapter.ts'
import { asOwner, startOrderRig } from './order-rig.ts'

const rig = opened(() => startOrderRig())
const VALID_MS = 15_000
let serial = 0

const prepared = async (): Promise<TradeOrder> => {
  const one = await rig.trader()
  const { confirm_id } = await asOwner(rig, one).prepareOrder({
    market: 'hl:BTC',
    side: 'buy',
    amount_usdc: '60',
    mode: 'live',
  })
  return (await tradeByConfirm(rig.pool, one.id, confirm_id ?? '')) ?? expect.fail('not prepared')
}

/** A venue that knows the one order of a script. */
function venueOf(process: TestProcess, peer: FaultyPeer, { id: oid, coin, size, cloid }: TradeOrder): VenueClient {
  const asked = async <T>(question: () => T): Promise<T> => {
    await process.point()
    const answer = question()
    await process.point()
    return answer
  }
  const found = { coin, cloid, oid, side: 'B', timestamp: peer.now, origSz: size, sz: '0' }
  const answers: Readonly<Record<string, () => unknown>> = {
    exchangeStatus: () => ({ time: peer.now }),
    orderStatus: () =>
      peer.look().says === 'unknown'
        ? { status: 'unknownOid' }
        : { status: 'order', order: { order: found, status: 'filled' } },
    userFillsByTime: () => {
      const fill = { tid: 1, px: '60000', sz: size, fee: '0.01', time: peer.now }
      return peer.look().executed === null ? [] : [{ ...found, ...fill }]
    },
  }
  const venue: Pick<VenueClient, 'ask' | 'send'> = {
    ask: (_, type) =>
      asked(() => {
        const answer = answers[type]
        // The position after an order is not known.
        if (answer === undefined) throw new Outage('venue', 'no answer')
        return answer() as never
      }),
    send: (_, { body }) =>
      asked(() => {
        switch (peer.send(JSON.parse(body) as Bytes)) {
          case 'done':
            return { kind: 'accepted', orders: [{ kind: 'filled', oid, size }] } as never
          case 'refused':
          case 'found nothing':
            return { kind: 'refused', reason: 'no' } as never
          case 'over':
            return { kind: 'retriable', reason: 'busy' } as never
          case 'unclear':
            return { kind: 'landed' } as never
        }
      }),
  }
  return venue as VenueClient
}

/** The context of a process whose statements are points at which it may die. */
function contextOf(process: TestProcess, venue: VenueClient): Context {
  const transaction = process.transaction((work) => rig.pool.transaction(work))
  const query: typeof rig.pool.query = (statement) => transaction((tx) => tx.query(statement))
  const pool = Object.create(rig.pool, { transaction: { value: transaction }, query: { value: query } }) as unknown
  return Object.create(rig.context, {
    pool: { value: pool },
    clock: { value: process.clock },
    venue: { value: venue },
  }) as Context
}

test('an own order executes at most once and ends as what it was, whatever the venue and the processes do', async () => {
  const template = await prepared()
  let order = template
  const cast: Cast<(typeof ownOrderKind)['row']> = {
    newEffect: async (nowMs) => {
      serial += 1
      const [preparedAt, expiresAt] = [new Date(nowMs), new Date(nowMs + 60_000)]
      const names = { orderId: `ord_${serial}`, confirmId: `cnf_${serial}`, orderKey: null }
      const cloid = `0x${serial.toString(16).padStart(32, '0')}` as const
      const stored = await rig.pool.transaction((tx) =>
        insertTrade(tx, { ...template, ...names, cloid, preparedAt, expiresAt, nextAt: preparedAt }),
      )
      order = stored ?? expect.fail('not stored')
      return order.id
    },
    machineOf: (process) => ownOrders(contextOf(process, rig.context.venue), 0),
    adapterOf: (process, peer, { plan }) => {
      const context = contextOf(process, venueOf(process, peer, order))
      const sign = (tx: Tx, { id, size }: TradeEffect) => {
        const now = process.clock.now()
        const expiresAfter = now.getTime() + VALID_MS
        const body = JSON.stringify({ kind: 'call', serial: (serial += 1), validUntil: expiresAfter })
        const counted = { size, referencePrice: '60000', notionalUsdc: '57' }
        return storeSignedTrade(tx, id, { ...counted, signer: '0x1', nonce: serial, body, expiresAfter }, now)
      }
      return tradeAdapter(context, plan === 'sign' ? { sign } : {})
    },
    transaction: (work) => rig.pool.transaction(work),
    claimMs: CLAIM_MS,
  }
  // Executions are looked for from two minutes before the signature: a clock is not wrong by more.
  const possible = (steps: readonly Step[]) =>
    steps.map((step) => ({ ...step, skewMs: Math.max(-60_000, Math.min(step.skewMs, 60_000)) }))
  // The venue refuses the second copy, and then the first one arrives.
  const overtaken: readonly Step[] = [
    { ...quietStep, send: 'late' },
    { ...quietStep, send: 'refused' },
  ]
  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      const { row, peer, faults } = await playScript(cast, possible(steps))
      expect(faults).toEqual([])
      const states = { done: 'filled', refused: 'rejected', expired: 'missed', abandoned: 'expired' } as const
      const outcome = row.effect_outcome
      expect(row.state).toBe(states[outcome as keyof typeof states])
      expect(row.filledSize).toBe(peer.executed.length === 0 ? '0' : row.size)
    }),
    {
      numRuns: process.env['TEST_LONG'] === '1' ? 2_000 : 60,
      seed: Number(process.env['TEST_SEED'] ?? 11),
      examples: [[overtaken]],
    },
  )
})
