import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashPairCode, nextAttemptAt, nextCodeAt, PAIR_CODE_DIGITS, readPairCode, writePairCode } from './pair-code.ts'

const now = new Date('2026-11-21T09:00:00.000Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const made = (minutes: number, used = false) => ({ createdAt: ago(minutes), expiresAt: ago(minutes - 15), used })

test('a code has eight digits of 30, none of them a vowel or I, L, O, U', () => {
  expect(PAIR_CODE_DIGITS).toHaveLength(30)
  expect(new Set(PAIR_CODE_DIGITS).size).toBe(30)
  expect(PAIR_CODE_DIGITS).not.toMatch(/[AEIOULa-z]/)
  fc.assert(
    fc.property(fc.array(fc.nat(29), { minLength: 8, maxLength: 8 }), (draws) => {
      const left = [...draws]
      const code = writePairCode((limit) => {
        expect(limit).toBe(30)
        return left.shift() ?? 0
      })
      expect(code).toMatch(/^[0-9B-DF-HJKMNP-TV-Z]{4}-[0-9B-DF-HJKMNP-TV-Z]{4}$/)
      expect(readPairCode(code)).toBe(code.replace('-', ''))
    }),
  )
})

test('a code is read in any case, without its dash, and with letters that look like digits', () => {
  expect(readPairCode('7kq2-m9xd')).toBe('7KQ2M9XD')
  expect(readPairCode('7KQ2M9XD')).toBe('7KQ2M9XD')
  expect(readPairCode('oO0l-iI1L')).toBe('00011111'.slice(0, 8))
})

test('the hash of a code depends on the key', () => {
  const [one, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
  expect(hashPairCode(one, '7KQ2M9XD')).toMatch(/^[0-9a-f]{64}$/)
  expect(hashPairCode(one, '7KQ2M9XD')).not.toBe(hashPairCode(other, '7KQ2M9XD'))
})

test('a sixth live code must wait until the first expires, and a used code frees its place', () => {
  const five = [1, 2, 3, 4, 5].map((minutes) => made(minutes))
  expect(nextCodeAt(five, now)).toEqual(ago(-10))
  expect(nextCodeAt([...five.slice(1), made(1, true)], now)).toBeNull()
  expect(
    nextCodeAt(
      [1, 2, 3, 4, 15].map((minutes) => made(minutes)),
      now,
    ),
  ).toBeNull()
})

test('an eleventh code of an hour waits until the first is an hour old', () => {
  const ten = [59, 20, 20, 20, 20, 20, 20, 20, 20, 20].map((minutes) => made(minutes))
  expect(nextCodeAt(ten, now)).toEqual(ago(-1))
  expect(nextCodeAt([made(60), ...ten.slice(1)], now)).toBeNull()
  expect(nextCodeAt([...ten, made(10)], now)).toEqual(ago(-40))
})

test('with both limits reached, the later one decides when a code may be made', () => {
  const both = [
    ...[58, 58, 58, 58, 58].map((minutes) => made(minutes)),
    ...[1, 1, 1, 1, 1].map((minutes) => made(minutes)),
  ]
  expect(nextCodeAt(both, now)).toEqual(ago(-14))
})

test('a sixth wrong code waits until the first of the last five is 15 minutes old', () => {
  expect(nextAttemptAt([ago(1), ago(2), ago(3), ago(4)], now)).toBeNull()
  expect(nextAttemptAt([ago(1), ago(2), ago(3), ago(4), ago(14)], now)).toEqual(ago(-1))
  expect(nextAttemptAt([ago(1), ago(2), ago(3), ago(4), ago(15)], now)).toBeNull()
})
