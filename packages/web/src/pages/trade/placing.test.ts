import { expect, test } from 'vitest'
import { Problem } from '../../lib/problem.ts'
import type { Answered } from './answers.ts'
import { makeOrderKey } from './order-key.ts'
import { place, type Means } from './placing.ts'

const NOW = Date.parse('2026-11-22T10:00:00.000Z')
const done = { ok: true, receipt: null, order: { status: 'filled' } } as unknown as Answered
const unresolved = { code: 'order_unresolved', order_id: 'ord_1', cloid: '0x1' } as unknown as Answered
const action = {
  type: 'order',
  orders: [{ a: 1, b: true, p: '3000', s: '0.008', r: false, t: { limit: { tif: 'Ioc' } }, c: `0x${'1'.repeat(32)}` }],
  grouping: 'na',
}
const toSign = (over: object = {}) =>
  ({
    ok: true,
    code: 'signature_required',
    confirm_id: 'cnf_1',
    action,
    nonce: NOW,
    expires_after: NOW + 60_000,
    ...over,
  }) as unknown as Answered
const problem = (code: string, body: object = {}) => new Problem(409, { code, ...body }, null)

type Step = Answered | Problem
function scripted(sends: readonly Step[], records: readonly Step[] = [], over: Partial<Means> = {}) {
  const said = { send: 0, record: 0 }
  const next = (kind: 'send' | 'record', steps: readonly Step[]) => {
    const step = steps[Math.min(said[kind], steps.length - 1)]
    said[kind] += 1
    if (step === undefined || step instanceof Error) throw step ?? new Error('nothing scripted')
    return Promise.resolve(step)
  }
  const means: Means = {
    send: async () => next('send', sends),
    record: async () => next('record', records),
    key: makeOrderKey(),
    network: 'testnet',
    wanted: () => ({
      side: 'buy',
      amount: '25',
      size: null,
      reduceOnly: false,
      mark: '3000',
      assetIndex: 1,
      builder: null,
      now: NOW,
    }),
    pause: () => Promise.resolve(),
    ...over,
  }
  return { means, said }
}

test('an order that is filled at once is done with one request', async () => {
  const { means, said } = scripted([done])
  expect(await place(means)).toEqual({ kind: 'done', result: done })
  expect(said).toEqual({ send: 1, record: 0 })
})

test('an order without an answer is asked for again under the same key, with a bound', async () => {
  expect(await place(scripted([unresolved, unresolved, done]).means)).toMatchObject({ kind: 'done' })
  const { means, said } = scripted([unresolved])
  expect(await place(means)).toEqual({ kind: 'unresolved' })
  expect(said.send).toBe(20)
})

test('another mode than the one on the screen executes nothing and names the new one', async () => {
  expect(await place(scripted([problem('mode_changed', { mode: 'paper' })]).means)).toEqual({
    kind: 'mode',
    mode: 'paper',
  })
  expect(await place(scripted([problem('order_refused')]).means)).toMatchObject({ kind: 'refused' })
})

test('the key of the page signs the order of the ticket, and its record is repeated until the venue has it', async () => {
  const { means, said } = scripted([toSign()], [problem('order_not_at_venue'), unresolved, done])
  expect(await place(means)).toMatchObject({ kind: 'done' })
  expect(said).toEqual({ send: 1, record: 3 })
})

test('a foreign action is never signed', async () => {
  const [order] = action.orders
  const foreign = { ...action, orders: [{ ...order, s: '8' }] }
  const { means, said } = scripted([toSign({ action: foreign })])
  expect(await place(means)).toMatchObject({ kind: 'differs', differences: [{ what: 'size' }] })
  expect(said.record).toBe(0)
})

test('without a key of the page nothing is signed and nothing recorded', async () => {
  const { means, said } = scripted([toSign()], [], { key: null })
  expect(await place(means)).toEqual({ kind: 'unsigned' })
  expect(said.record).toBe(0)
})
