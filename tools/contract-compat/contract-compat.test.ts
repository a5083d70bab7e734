import { contract, event, type Contract, type OperationDeclaration } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { compareContracts } from './compare.ts'
import { readSnapshot, snapshotOf, writeSnapshot } from './snapshot.ts'

const input = z.object({
  name: z.string().min(1).max(20),
  size: z.enum(['s', 'm']).default('s'),
  note: z.string().optional(),
})
const answer = z.object({
  id: z.string(),
  price: z.number().nullable(),
  lines: z.array(z.object({ at: z.string(), kind: z.enum(['a', 'b']) })),
})
const order: OperationDeclaration = {
  summary: 'Orders something',
  auth: 'agent',
  input,
  success: { 200: answer },
  http: 'POST /orders',
  tool: 'order',
}
const payload = z.object({ id: z.string(), amount: z.number().int() })
const shop = (operation: OperationDeclaration | null, of: z.ZodObject | null = payload) =>
  contract('shop', {
    title: 'Sells',
    operations: operation === null ? {} : { order: operation },
    ...(of === null ? {} : { events: { sold: event({ summary: 'Something was sold.', payload: of }) } }),
  }) as unknown as Contract
const changes = (now: Contract, before: Contract = shop(order)) =>
  compareContracts(snapshotOf([before]), snapshotOf([now]), '2026-11-23').map(
    ({ of, path, problem }) => `${of} ${path} ${problem}`,
  )
const withInput = (next: z.ZodObject) => changes(shop({ ...order, input: next }))
const withAnswer = (next: z.ZodType) => changes(shop({ ...order, success: { 200: next } }))
const withPayload = (next: z.ZodObject | null) => changes(shop(order, next))

test('the contracts suit those of the last release, which run beside them during an update', async () => {
  const { readFile } = await import('node:fs/promises')
  const released = readSnapshot(
    await readFile(new URL('../../docs/api/released-contracts.json', import.meta.url), 'utf8'),
  )
  expect(Object.keys(released.operations).length).toBeGreaterThan(100)
  expect(compareContracts(released, snapshotOf(contracts), new Date().toISOString().slice(0, 10))).toEqual([])
})

test('a snapshot that was written and read again is the same', () => {
  const snapshot = snapshotOf([shop(order)])
  expect(readSnapshot(writeSnapshot(snapshot))).toEqual(snapshot)
})

test('whatever is only added passes', () => {
  expect(changes(shop({ ...order, scope: undefined as never, refusals: [] }))).toEqual([])
  expect(withInput(input.extend({ colour: z.string().optional(), urgent: z.boolean().default(false) }))).toEqual([])
  expect(withInput(input.extend({ name: z.string().max(40), size: z.enum(['s', 'm', 'l']).default('s') }))).toEqual([])
  expect(withAnswer(answer.extend({ total: z.number() }))).toEqual([])
  expect(withAnswer(answer.extend({ price: z.number() }))).toEqual([])
  expect(withPayload(payload.extend({ reason: z.string().optional() }))).toEqual([])
  const more = contract('shop', {
    title: 'Sells',
    operations: { order, list: { ...order, http: 'GET /orders', tool: 'list' } },
  })
  expect(changes(more as unknown as Contract, shop(order, null))).toEqual([])
})

test.each([
  ['a removed member of a request', withInput(input.omit({ note: true })), 'input.note was removed'],
  [
    'a renamed member of a request',
    withInput(input.omit({ name: true }).extend({ title: z.string() })),
    'input.name was removed',
  ],
  ['a new member that a request must have', withInput(input.extend({ colour: z.string() })), 'input.colour is missing'],
  [
    'a member that a request must have from now on',
    withInput(input.extend({ note: z.string() })),
    'input.note may be missing',
  ],
  [
    'a shorter text of a request',
    withInput(input.extend({ name: z.string().min(1).max(10) })),
    'input.name has maxLength 20',
  ],
  [
    'a longer text of a request',
    withInput(input.extend({ name: z.string().min(3).max(20) })),
    'input.name has minLength 1',
  ],
  ['fewer values of a request', withInput(input.extend({ size: z.enum(['s']).default('s') })), 'input.size may be "m"'],
  ['another type of a request', withInput(input.extend({ name: z.number() })), 'input.name may be string'],
  [
    'a pattern of a request',
    withInput(input.extend({ note: z.string().regex(/^a/).optional() })),
    'input.note has pattern',
  ],
  ['a removed member of an answer', withAnswer(answer.omit({ price: true })), '200.price was removed'],
  [
    'a removed member deep in an answer',
    withAnswer(answer.extend({ lines: z.array(z.object({ at: z.string() })) })),
    '200.lines[].kind was removed',
  ],
  [
    'an optional member of an answer',
    withAnswer(answer.extend({ id: z.string().optional() })),
    '200.id may be missing',
  ],
  ['an answer that may be null', withAnswer(answer.extend({ id: z.string().nullable() })), '200.id may be null'],
  ['another type of an answer', withAnswer(answer.extend({ id: z.number() })), '200.id may be number'],
  [
    'a new value of an answer',
    withAnswer(answer.extend({ lines: z.array(z.object({ at: z.string(), kind: z.enum(['a', 'b', 'c']) })) })),
    '200.lines[].kind may be "c"',
  ],
  ['a removed success', changes(shop({ ...order, success: { 201: answer } })), '200 this success was removed'],
  [
    'a new success',
    changes(shop({ ...order, success: { 200: answer, 202: answer } })),
    '202 callers of the release before',
  ],
  ['another route', changes(shop({ ...order, http: 'POST /order' })), 'http was POST /orders'],
  ['another tool', changes(shop({ ...order, tool: 'buy' })), 'tool was order'],
  ['another auth', changes(shop({ ...order, auth: 'admin' })), 'auth was agent'],
  ['another scope', changes(shop({ ...order, scope: 'tx' })), 'scope was'],
  ['a higher tier', changes(shop({ ...order, tier: 2 })), 'tier was 0'],
  ['a removed operation', changes(shop(null)), 'shop.order  this operation was removed'],
  ['a removed event', withPayload(null), 'shop.sold  this event was removed'],
  ['a removed member of an event', withPayload(payload.omit({ amount: true })), 'payload.amount was removed'],
  [
    'a new member that consumers of an event need',
    withPayload(payload.extend({ reason: z.string() })),
    'payload.reason is missing',
  ],
  ['another type of an event', withPayload(payload.extend({ amount: z.string() })), 'payload.amount may be'],
])('%s breaks the release before', (_, breaks, expected) => {
  expect(breaks.join('\n')).toContain(expected)
})

test('an answer between services may not gain what its callers of this release need', () => {
  const inner: OperationDeclaration = {
    ...order,
    auth: 'service',
    callers: ['bank'],
    http: undefined as never,
    tool: undefined as never,
  }
  const next = { ...inner, success: { 200: answer.extend({ total: z.number() }) } }
  expect(changes(shop(next), shop(inner)).join()).toContain('200.total is missing, its reader needs it')
  expect(changes(shop({ ...inner, callers: ['post'] }), shop(inner)).join()).toContain(
    'bank of the release before may not call it',
  )
})

test('a deprecated operation may go on the day of its sunset', () => {
  const deprecated = { since: '2026-01-01', successor: '/sales', sunset: '2026-11-23' } as const
  expect(changes(shop(null), shop({ ...order, deprecated }))).toEqual([])
  expect(changes(shop(null), shop({ ...order, deprecated: { ...deprecated, sunset: '2026-11-24' } }))).toHaveLength(1)
})
