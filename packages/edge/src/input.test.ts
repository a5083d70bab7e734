import { contract, operation } from '@svc/contract'
import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { inputOf } from './input.ts'
import { routesOf } from './routes.ts'

const [route] = routesOf([
  contract('papers', {
    title: 'Papers',
    operations: {
      readPaper: operation({
        summary: 'Read a paper',
        auth: 'open',
        http: 'GET /papers',
        file: 'application/pdf',
        whenFileAccepted: { format: 'pdf' },
        input: z.strictObject({ format: z.enum(['json', 'pdf']).default('json') }),
        success: { 200: z.object({}) },
      }),
    },
  }),
])
const formatOf = (accept: string | undefined, query: object = {}) => {
  if (route === undefined) throw new Error('there is no route')
  return inputOf(route, { query, params: {}, headers: { accept } } as unknown as FastifyRequest)['format']
}

test.each([
  ['application/pdf', 'pdf'],
  ['application/pdf, application/json;q=0.5', 'pdf'],
  ['APPLICATION/PDF;q=0.9', 'pdf'],
  ['application/json, application/pdf', 'json'],
  ['application/pdf;q=0', 'json'],
  ['*/*', 'json'],
  [undefined, 'json'],
])('Accept: %s asks for %s', (accept, format) => {
  expect(formatOf(accept)).toBe(format)
})

test('what the caller writes in the query wins over Accept', () => {
  expect(formatOf('application/pdf', { format: 'json' })).toBe('json')
})

test('a member named as something that every object has is unknown like any other', () => {
  if (route === undefined) throw new Error('there is no route')
  const request = { query: { constructor: '1' }, params: {}, headers: {} } as unknown as FastifyRequest
  expect(() => inputOf(route, request)).toThrow(
    expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/query/constructor' })] }),
  )
})

describe('members that may be given in the query or in the body', () => {
  const [order] = routesOf([
    contract('orders', {
      title: 'Orders',
      operations: {
        order: operation({
          summary: 'Order a paper',
          auth: 'open',
          http: 'POST /orders',
          placement: 'body-or-query',
          input: z.strictObject({ lang: z.enum(['en', 'ko']).default('en'), copies: z.coerce.number().default(1) }),
          success: { 200: z.object({}) },
        }),
      },
    }),
  ])
  const ordered = (query: object, body: object) => {
    if (order === undefined) throw new Error('there is no route')
    const bytes = Buffer.from(JSON.stringify(body))
    return inputOf(order, { query, body: bytes, params: {}, headers: {} } as unknown as FastifyRequest)
  }

  test('are refused by name when the query and the body differ', () => {
    expect(() => ordered({ lang: 'ko' }, { lang: 'en' })).toThrow(
      expect.objectContaining({
        errors: [
          {
            pointer: '/lang',
            code: 'contradiction',
            detail: '"lang" has one value in the query and another in the body; send it once.',
          },
        ],
      }),
    )
  })

  test('are accepted when both say the same, and from either side', () => {
    expect(ordered({ lang: 'ko', copies: '2' }, { lang: 'ko', copies: 2 })).toEqual({ lang: 'ko', copies: 2 })
    expect(ordered({ lang: 'ko' }, { copies: 2 })).toEqual({ lang: 'ko', copies: 2 })
  })
})
