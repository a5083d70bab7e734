import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSeats } from './seats.ts'

const rising = (a: number, b: number) => a - b

test('a value is given back once, and only under its own id', () => {
  const seats = createSeats<string>()
  const first = seats.sit('first')
  expect(seats.leave(first)).toBe('first')
  const second = seats.sit('second')
  expect(second).not.toBe(first)
  expect(seats.leave(first)).toBeUndefined()
  expect(seats.leave(second)).toBe('second')
})

test('ids that were never given out lead nowhere', () => {
  const seats = createSeats<string>()
  const id = seats.sit('kept')
  fc.assert(fc.property(fc.string(), (other) => other === id || seats.leave(other) === undefined))
  expect(seats.leave(id)).toBe('kept')
})

test('seats behave as a map from ids never used twice', () => {
  const command = fc.oneof(
    fc.record({ sit: fc.nat() }),
    fc.record({ leave: fc.nat({ max: 60 }) }),
    fc.record({ sweepBelow: fc.nat() }),
  )
  fc.assert(
    fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
      const seats = createSeats<number>()
      const model = new Map<string, number>()
      const given: string[] = []
      for (const one of commands) {
        if ('sit' in one) {
          const id = seats.sit(one.sit)
          expect(given).not.toContain(id)
          given.push(id)
          model.set(id, one.sit)
        } else if ('leave' in one) {
          const id = given[one.leave % Math.max(1, given.length)] ?? 'none'
          expect(seats.leave(id)).toBe(model.get(id))
          model.delete(id)
        } else {
          const swept = seats.sweep((value) => value < one.sweepBelow)
          const expected = [...model].filter(([, value]) => value < one.sweepBelow)
          expect(swept.toSorted(rising)).toEqual(expected.map(([, value]) => value).toSorted(rising))
          for (const [id] of expected) model.delete(id)
        }
      }
    }),
  )
})
