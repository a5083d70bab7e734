import { transferKind } from '@svc/contracts/hl-leg/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { after, givesBack, isOpen, isPoolSend, stateOf, type Standing, type TransferEvent } from './transfer-state.ts'

const EVENTS = [
  'chain_sent',
  'chain_seen',
  'chain_lost',
  'chain_failed',
  'venue_signed',
  'venue_landed',
  'venue_refused',
  'voided',
] as const satisfies readonly TransferEvent[]
const kind = fc.constantFrom(...transferKind.options)
const events = fc.array(fc.constantFrom(...EVENTS), { maxLength: 24 })

const walk = (from: Standing['kind'], all: readonly TransferEvent[]): readonly Standing[] =>
  all.reduce<Standing[]>(
    (path, event) => {
      const now = path.at(-1) as Standing
      return [...path, after(now, event) ?? now]
    },
    [{ kind: from, chain: 'none', venue: 'none' }],
  )

const statesOf = (from: Standing['kind'], all: readonly TransferEvent[]) => walk(from, all).map(stateOf)

test('a funding goes from planned over the chain to the account', () => {
  expect(statesOf('fund', ['chain_sent', 'chain_seen', 'venue_signed', 'venue_landed'])).toEqual([
    'planned',
    'on_chain',
    'confirmed',
    'sent',
    'delivered',
  ])
})

test('a return goes from planned over the account to the vault', () => {
  expect(statesOf('return', ['venue_signed', 'venue_landed', 'chain_sent', 'chain_seen'])).toEqual([
    'planned',
    'sent',
    'delivered_at_venue',
    'on_chain',
    'confirmed',
  ])
})

test('a funding that the chain took back after the pool sent it is unbacked, and backed again or a debt', () => {
  const sent = ['chain_sent', 'chain_seen', 'venue_signed', 'chain_lost'] as const
  expect(statesOf('fund', sent).at(-1)).toBe('unbacked')
  expect(statesOf('fund', [...sent, 'chain_sent', 'venue_landed']).at(-1)).toBe('unbacked')
  expect(statesOf('fund', [...sent, 'chain_sent', 'chain_seen']).at(-1)).toBe('sent')
  expect(statesOf('fund', [...sent, 'chain_sent', 'venue_landed', 'chain_seen']).at(-1)).toBe('delivered')
  expect(statesOf('fund', [...sent, 'chain_failed', 'venue_landed']).at(-1)).toBe('leg_debt')
  expect(statesOf('fund', [...sent, 'chain_failed', 'venue_refused']).at(-1)).toBe('cancelled')
})

test('a funding that the venue refused is turned back, and one whose transaction failed is cancelled', () => {
  expect(statesOf('fund', ['chain_sent', 'chain_seen', 'venue_signed', 'venue_refused']).at(-1)).toBe('turned_back')
  expect(statesOf('fund', ['chain_sent', 'chain_failed']).at(-1)).toBe('cancelled')
})

test('the bytes of a transfer are signed at most once, and of a funding only while its log lies on the chain', () => {
  fc.assert(
    fc.property(kind, events, (of, all) => {
      const path = walk(of, all)
      const signings = path.filter((now, at) => {
        const before = path[at - 1]
        return before !== undefined && before.venue === 'none' && now.venue === 'signed'
      })
      expect(signings.length).toBeLessThanOrEqual(1)
      if (of === 'fund') expect(signings.every(({ chain }) => chain === 'seen')).toBe(true)
      if (signings.length > 0) expect(isPoolSend(of) || of === 'return').toBe(true)
    }),
  )
})

test('what has landed at the venue never becomes undone, and no void or refused bytes land', () => {
  fc.assert(
    fc.property(kind, events, (of, all) => {
      const path = walk(of, all)
      for (const [at, { venue }] of path.entries())
        if (venue === 'landed' || venue === 'refused' || venue === 'void')
          expect(path.slice(at).every((later) => later.venue === venue)).toBe(true)
    }),
  )
})

test('an event that is told twice changes nothing the second time', () => {
  fc.assert(
    fc.property(kind, events, fc.constantFrom(...EVENTS), (of, all, event) => {
      const now = walk(of, all).at(-1) as Standing
      const once = after(now, event)
      if (once === null || event === 'venue_signed') return
      if (event === 'chain_lost' || event === 'chain_failed' || event.startsWith('venue') || event === 'voided')
        expect(after(once, event)).toEqual(once)
      else expect(after(once, event)).toBe(once)
    }),
  )
})

test('an ended transfer moves again only when the chain takes its own log back', () => {
  fc.assert(
    fc.property(kind, events, fc.constantFrom(...EVENTS), (of, all, event) => {
      const now = walk(of, all).at(-1) as Standing
      const next = after(now, event)
      if (isOpen(now) || next === null || next === now) return
      expect(event).toBe('chain_lost')
      expect(now.kind === 'fund' || givesBack(now.kind)).toBe(true)
    }),
  )
})
