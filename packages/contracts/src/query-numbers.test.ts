import type { Operation } from '@svc/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { contracts } from './all.ts'

/** Texts that JavaScript reads as a number, and that no query may use for one. */
const OTHER_NOTATIONS = ['1e1', '0x5', '0b11', '0o7', ' 5', '5 ', '+5', '05', '1_0', '', 'Infinity', 'NaN', '٥', '5.']

const routes = contracts.flatMap(({ operations }) =>
  Object.values(operations as Readonly<Record<string, Operation>>).filter(({ http }) => http?.startsWith('GET ')),
)

/** Members of queries and paths that are numbers: name of the operation, of the member, and its type. */
const numbers = routes.flatMap(({ key, input }) => {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).flatMap(([member, schema]) =>
    typeof schema === 'object' && (schema.type === 'integer' || schema.type === 'number')
      ? [{ key, member, type: schema.type, input }]
      : [],
  )
})

/** Returns what an input says about one member; empty if it accepts the value, or if the value is only out of its range. */
const wrongIn = (input: z.ZodType, member: string, value: unknown): string[] => {
  const issues = input.safeParse({ [member]: value }).error?.issues ?? []
  return issues.flatMap(({ path, code, message }) => (path[0] === member && code === 'invalid_type' ? [message] : []))
}

test('there are numbers in queries', () => {
  expect(numbers.length).toBeGreaterThan(30)
})

describe.each(numbers)('$member of $key', ({ member, type, input }) => {
  test('is written in decimal digits, and every other notation is refused with the right one', () => {
    for (const text of type === 'integer' ? [...OTHER_NOTATIONS, '5.0', '5.5'] : OTHER_NOTATIONS)
      expect([text, wrongIn(input, member, text)]).toEqual([text, [expect.stringMatching(/in decimal digits, like /)]])
    for (const value of ['10', '0', '-3', 10]) expect([value, wrongIn(input, member, value)]).toEqual([value, []])
  })

  test('is refused with its bound if it is out of its range', () => {
    const issues = input.safeParse({ [member]: '1000000000000000' }).error?.issues ?? []
    const told = issues.flatMap(({ path, code, message }) => (path[0] === member ? [{ code, message }] : []))
    expect(told).toEqual(told.map(() => ({ code: 'too_big', message: expect.stringMatching(/\d/) })))
  })

  test('is no boolean, list or object', () => {
    for (const value of [true, [], ['5'], {}]) expect(wrongIn(input, member, value)).toHaveLength(1)
  })
})
