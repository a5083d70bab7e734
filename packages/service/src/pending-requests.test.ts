import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPendingRequests } from './pending-requests.ts'

const rising = (a: number, b: number) => a - b

test('a request is returned once, and only for its own id', () => {
  const pending = createPendingRequests<string>()
  const first = pending.add('first')
  expect(pending.remove(first)).toBe('first')
  const second = pending.add('second')
  expect(second).not.toBe(first)
  expect(pending.remove(first)).toBeUndefined()
  expect(pending.remove(second)).toBe('second')
})

test('an id that was never assigned finds no request', () => {
  const pending = createPendingRequests<string>()
  const id = pending.add('kept')
  fc.assert(fc.property(fc.string(), (other) => other === id || pending.remove(other) === undefined))
  expect(pending.remove(id)).toBe('kept')
})

test('pending requests behave as a map whose ids are never used twice', () => {
  const command = fc.oneof(
    fc.record({ add: fc.nat() }),
    fc.record({ remove: fc.nat({ max: 60 }) }),
    fc.record({ removeBelow: fc.nat() }),
  )
  fc.assert(
    fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
      const pending = createPendingRequests<number>()
      const model = new Map<string, number>()
      const given: string[] = []
      for (const one of commands) {
        if ('add' in one) {
          const id = pending.add(one.add)
          expect(given).not.toContain(id)
          given.push(id)
          model.set(id, one.add)
        } else if ('remove' in one) {
          const id = given[one.remove % Math.max(1, given.length)] ?? 'none'
          expect(pending.remove(id)).toBe(model.get(id))
          model.delete(id)
        } else {
          const removed = pending.removeWhere((value) => value < one.removeBelow)
          const expected = [...model].filter(([, value]) => value < one.removeBelow)
          expect(removed.toSorted(rising)).toEqual(expected.map(([, value]) => value).toSorted(rising))
          for (const [id] of expected) model.delete(id)
        }
      }
    }),
  )
})
