import { Outage } from '@svc/service'
import { opened } from '@svc/testing'
import {
  playScript,
  quietStep,
  script,
  type Cast,
  type FaultyPeer,
  type Step,
  type TestProcess,
} from '@svc/outbound/testing'
import type { Pool } from '@svc/postgres'
import type { VenueClient } from '@svc/venue/venue-client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Context } from '#context.ts'
import { readLeg } from '#legs/store/legs.ts'
import { CLAIM_MS, orderAdapter } from '#orders/order-adapter.ts'
import { legOrders } from '#orders/send-order.ts'
import { findOrder, insertOrder, JUDGING_MS, type LegOrder, type legOrderKind } from '#orders/store/orders.ts'
import { asAgent, startOrderRig, TERMS_HASH, USAGE } from './order-rig.ts'

const rig = opened(() => startOrderRig())
const signedBody = z.object({ nonce: z.number(), expiresAfter: z.number() })
let serial = 0

/** Makes everything that a process asks for a point at which it may die. */
const pointed =
  (process: TestProcess) =>
  async <T>(question: () => T | Promise<T>): Promise<T> => {
    await process.point()
    const answer = await question()
    await process.point()
    return answer
  }

/** A venue that knows the one order of a script. */
function venueOf(process: TestProcess, peer: FaultyPeer, { id: oid, coin, size, cloid }: LegOrder): VenueClient {
  const asked = pointed(process)
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
  // The position after an order, and the dexes, are not known.
  const ask = (type: string) =>
    asked(() => {
      const answer = answers[type]
      if (answer === undefined) throw new Outage('venue', 'no answer')
      return answer() as never
    })
  const venue: Pick<VenueClient, 'ask' | 'askEach' | 'network' | 'send'> = {
    network: 'testnet',
    ask: (_, type) => ask(type),
    askEach: (_, type) => ask(type),
    send: (_, { body }) =>
      asked(() => {
        const { nonce, expiresAfter } = signedBody.parse(JSON.parse(body))
        switch (peer.send({ kind: 'call', serial: nonce, validUntil: expiresAfter })) {
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

/** The context of a process whose statements and questions are points at which it may die. */
function contextOf(process: TestProcess, peer: FaultyPeer | null, venue: VenueClient): Context {
  const asked = pointed(process)
  const transaction = process.transaction((work) => rig.pool.transaction(work))
  const pool = new Proxy(rig.pool, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (name === 'transaction') return transaction
      if (typeof member !== 'function') return member
      return (...given: unknown[]) => asked(() => (member as (...given: unknown[]) => unknown).apply(target, given))
    },
  }) as Pool
  const mandates = {
    resolveLegOrder: ({ outcome }: { readonly outcome: string }) =>
      asked(() => {
        peer?.inform(outcome)
        return { ok: true, usage: USAGE }
      }),
  }
  const identity = { signLegReceipt: () => asked(() => ({ jws: 'e' })) }
  const parts = { pool, clock: process.clock, venue, mandates, identity }
  return Object.create(
    rig.context,
    Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, { value }])),
  ) as Context
}

test('an order of a leg executes at most once, ends as what it was, and mandates learns that once, whatever the venue and the processes do', async () => {
  const one = await rig.newLeg()
  await asAgent(rig, one, 'k').placeLegOrder({
    public_id: one.publicId,
    market: 'hl:BTC',
    side: 'buy',
    amount_usdc: '100',
  })
  const leg = (await readLeg(rig.pool, one.publicId)) ?? expect.fail('no leg')
  const { orderKey } =
    [...rig.books.ended.values()].map(({ order_key }) => ({ orderKey: order_key }))[0] ?? expect.fail()
  const template = (await findOrder(rig.pool, one.publicId, orderKey)) ?? expect.fail('no order')
  let order: LegOrder = template
  const cast: Cast<(typeof legOrderKind)['row']> = {
    newEffect: async (nowMs) => {
      serial += 1
      const cloid = `0x${serial.toString(16).padStart(32, '0')}` as const
      const now = new Date(nowMs)
      // A close, because a leg has one open at a time.
      const key = {
        opening: false,
        orderKey: `key:${serial}`,
        requestHash: 'h',
        cloid,
        readings: [...template.readings],
      }
      const stored = await insertOrder(rig.pool, { ...template, ...key }, now, new Date(nowMs + JUDGING_MS))
      order = stored ?? expect.fail('not stored')
      return order.id
    },
    machineOf: (process) => legOrders(contextOf(process, null, rig.context.venue), 0),
    adapterOf: (process, peer, { plan }) => {
      const context = contextOf(process, peer, venueOf(process, peer, order))
      const judged = { judgement: null, termsHash: TERMS_HASH, usage: null }
      const passed = { leg, order, asset: 0, judged, request: { notAfter: null } }
      return orderAdapter(context, plan === 'wait' ? null : { ...passed, isBarred: plan === 'give_up' })
    },
    transaction: (work) => rig.pool.transaction(work),
    claimMs: CLAIM_MS,
  }
  // Executions are looked for from two minutes before the signature: a clock is not wrong by more.
  const possible = (steps: readonly Step[]) =>
    steps.map((step) => ({ ...step, skewMs: Math.max(-60_000, Math.min(step.skewMs, 60_000)) }))
  // The venue refuses the second copy, and then the first one arrives.
  const overtaken: readonly Step[] = [
    { ...quietStep, by: 'caller', send: 'late' },
    { ...quietStep, send: 'refused' },
  ]
  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      const { row, peer, faults } = await playScript(cast, possible(steps))
      expect(faults).toEqual([])
      const states = { done: 'filled', refused: 'rejected', expired: 'missed', abandoned: 'missed' } as const
      expect(row.state).toBe(states[row.effect_outcome as keyof typeof states])
      expect(row.filledSize).toBe(peer.executed.length === 0 ? '0' : row.size)
      expect([...peer.informed]).toEqual([peer.executed.length === 0 ? 'missed' : 'filled'])
    }),
    {
      numRuns: process.env['TEST_LONG'] === '1' ? 2_000 : 60,
      seed: Number(process.env['TEST_SEED'] ?? 13),
      examples: [[overtaken]],
    },
  )
})
