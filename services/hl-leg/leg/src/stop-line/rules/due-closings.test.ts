import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crosses } from './crossing.ts'
import { dueClosings, type Judged, type Stored } from './due-closings.ts'

const now = new Date('2026-11-22T10:00:00.000Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const nothing: Stored = { open: [], bars: [] }

type Changed = Partial<Judged> & {
  readonly state_?: string
  readonly silent?: number
  readonly actedAgo?: number
  readonly vault?: Judged['mandate']['vault']
}

function judged(changed: Changed = {}): Judged {
  const { state_ = 'working', silent = null, actedAgo = null, vault = null, ...rest } = changed
  return {
    leg: { publicId: 'mdt_1', boundAt: minutesAgo(600), state: 'bound' },
    mandate: {
      state: state_,
      vault,
      agent_acted_at: actedAgo === null ? null : minutesAgo(actedAgo).toISOString(),
      limits: { close_if_silent_minutes: silent },
    },
    line: 400n,
    state: { account: { positions: ['BTC'] }, reading: { worth: 500n, steady: true } },
    ...rest,
  }
}
const below = { account: { positions: ['BTC'] }, reading: { worth: 390n, steady: true } }
const since = minutesAgo(600)
const due = (leg: Judged, stored = nothing, started = since) => {
  const { crossing, silent, recovered } = dueClosings([leg], stored, { max: 20, now, since: started })
  return { crossing: crossing.length, silent: silent.length, recovered: recovered.length }
}

test('a leg below its line is closed in every state after the mandate began to work, a stopped one only while it has a position', () => {
  for (const state_ of ['working', 'paused', 'stopped', 'ended', 'closed'])
    expect([state_, due(judged({ state_, state: below })).crossing]).toEqual([state_, 1])
  for (const state_ of ['draft', 'signed'])
    expect([state_, due(judged({ state_, state: below })).crossing]).toEqual([state_, 0])
  const flat = { account: { positions: [] }, reading: below.reading }
  expect(due(judged({ state_: 'working', state: flat })).crossing).toBe(1)
  expect(due(judged({ state_: 'stopped', state: flat })).crossing).toBe(0)
})

test('a leg whose account is unknown is neither closed nor taken for recovered', () => {
  const bars = [{ publicId: 'mdt_1', cause: 'stop_line' as const, endedAt: null }]
  expect(due(judged({ state: null, silent: 15 }), { open: [], bars })).toEqual({ crossing: 0, silent: 0, recovered: 0 })
})

test('opens are allowed again after one reading below the line and one above it, but not while a closing goes on', () => {
  const bars = [{ publicId: 'mdt_1', cause: 'stop_line' as const, endedAt: null }]
  expect(due(judged(), { open: [], bars }).recovered).toBe(1)
  expect(due(judged(), { open: [{ publicId: 'mdt_1', cause: 'stop_line' }], bars }).recovered).toBe(0)
})

test('an agent that is silent for the agreed minutes is found once, until the owner binds the leg again', () => {
  expect(due(judged({ silent: 60, actedAgo: 59 })).silent).toBe(0)
  expect(due(judged({ silent: 60, actedAgo: 60 })).silent).toBe(1)
  expect(due(judged({ silent: 60 })).silent).toBe(1)
  expect(due(judged({ silent: 60, state_: 'stopped' })).silent).toBe(0)
  const bar = (endedAt: Date | null): Stored => ({
    open: [],
    bars: [{ publicId: 'mdt_1', cause: 'agent_silent', endedAt }],
  })
  expect(due(judged({ silent: 60 }), bar(null)).silent).toBe(0)
  expect(due(judged({ silent: 60 }), bar(minutesAgo(10))).silent).toBe(0)
  expect(due(judged({ silent: 60 }), bar(minutesAgo(60))).silent).toBe(1)
})

test('an agent whose last act is of before the start of the process, as after a restore, is silent only after the agreed minutes from it', () => {
  const restored = judged({ silent: 60, actedAgo: 500 })
  expect(due(restored, nothing, minutesAgo(59)).silent).toBe(0)
  expect(due(restored, nothing, minutesAgo(60)).silent).toBe(1)
})

test('a leg of a mandate that is over is closed while it has positions and its end on the chain is still to come', () => {
  const vault = { leg_open: true }
  const over = (changed: Parameters<typeof judged>[0], stored = nothing) =>
    dueClosings([judged({ vault, ...changed })], stored, { max: 20, now, since }).over.length
  for (const state_ of ['stopped', 'ended', 'closed']) expect([state_, over({ state_ })]).toEqual([state_, 1])
  for (const state_ of ['draft', 'signed', 'working', 'paused']) expect([state_, over({ state_ })]).toEqual([state_, 0])
  expect(over({ state_: 'ended', vault: { leg_open: false } })).toBe(0)
  expect(over({ state_: 'ended', vault: null })).toBe(0)
  expect(over({ state_: 'ended', state: { account: { positions: [] }, reading: below.reading } })).toBe(0)
  // What the owner took the key from, the owner closes.
  const revoked = { publicId: 'mdt_1', boundAt: minutesAgo(600), state: 'revoked' }
  expect(over({ state_: 'ended', leg: revoked })).toBe(0)
  for (const cause of ['stop_line', 'agent_silent'] as const)
    expect(over({ state_: 'ended' }, { open: [{ publicId: 'mdt_1', cause }], bars: [] })).toBe(0)
  // The stop line closes it and tells the owner.
  expect(over({ state_: 'stopped', state: below })).toBe(0)
  expect(due(judged({ state_: 'stopped', state: below, vault })).crossing).toBe(1)
})

test('no closing begins that goes on already, and none without a counted reading at or below the line', () => {
  const any = fc.record({
    id: fc.integer({ min: 1, max: 5 }),
    state_: fc.constantFrom('draft', 'signed', 'working', 'paused', 'stopped', 'ended', 'closed'),
    worth: fc.option(fc.bigInt({ min: 0n, max: 800n })),
    steady: fc.boolean(),
    known: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.uniqueArray(any, { selector: ({ id }) => id }), fc.subarray([1, 2, 3, 4, 5]), (given, going) => {
      const legs = given.map(({ id, state_, worth, steady, known }) =>
        judged({
          leg: { publicId: `mdt_${id}`, boundAt: minutesAgo(600), state: 'bound' },
          state_,
          state: known ? { account: { positions: ['BTC'] }, reading: { worth, steady } } : null,
        }),
      )
      const open = going.map((id) => ({ publicId: `mdt_${id}`, cause: 'stop_line' as const }))
      const { crossing } = dueClosings(legs, { open, bars: [] }, { max: 20, now, since })
      for (const { leg, state, line } of crossing) {
        expect(open.map(({ publicId }) => publicId)).not.toContain(leg.publicId)
        expect(crosses(state.reading, line)).toBe(true)
      }
    }),
    { seed: 20261122 },
  )
})
