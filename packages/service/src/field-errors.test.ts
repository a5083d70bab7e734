import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fieldErrors } from './field-errors.ts'

const schema = z.strictObject({
  name: z.string(),
  limit: z.coerce.number().int(),
  tags: z.array(z.object({ n: z.int() })),
})
const errorsOf = (input: unknown) => fieldErrors(schema.safeParse(input).error ?? new z.ZodError([]), 'query')

describe('field errors', () => {
  test('say that a member is missing and what it must be', () => {
    expect(errorsOf({ limit: '1', tags: [{}] })).toEqual([
      { pointer: '/query/name', code: 'invalid_type', detail: 'This member is missing; give it as string.' },
      { pointer: '/query/tags/0/n', code: 'invalid_type', detail: 'This member is missing; give it as number.' },
    ])
  })
  test('say that a text in place of a number must be a number', () => {
    expect(errorsOf({ name: 'x', limit: 'ten', tags: [] })).toEqual([
      { pointer: '/query/limit', code: 'invalid_type', detail: 'must be a number in decimal digits' },
    ])
  })
  test('name the choices if no shape of a union accepts the value', () => {
    const tier = z.object({
      tier: z.union([z.literal(1), z.literal(2)]),
      asked: z.union([z.string(), z.array(z.string())]),
    })
    const { error } = tier.safeParse({ tier: 7, asked: 1 })
    expect(fieldErrors(error ?? new z.ZodError([]), 'body')).toEqual([
      { pointer: '/tier', code: 'invalid_union', detail: 'Invalid input: expected one of 1, 2' },
      { pointer: '/asked', code: 'invalid_union', detail: 'Invalid input: expected one of string, array' },
    ])
  })
  test('name each unknown member, escaped as in a JSON Pointer', () => {
    expect(errorsOf({ name: 'x', limit: 1, tags: [], 'a/b~': 1 })).toMatchObject([
      { pointer: '/query/a~1b~0', code: 'unknown_field' },
    ])
  })
  test('are at most 20', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`x${n}`, n]))
    expect(errorsOf({ name: 'x', limit: 1, tags: [], ...many })).toHaveLength(20)
  })
})
