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
const formatOf = (accept: string | undefined, query = '') => {
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
])('Accept: %s selects %s', (accept, format) => {
  expect(formatOf(accept)).toBe(format)
})

test('a member in the query overrides Accept', () => {
  expect(formatOf('application/pdf', 'format=json')).toBe('json')
})

test('a member named like a property of every object is rejected as unknown', () => {
  if (route === undefined) throw new Error('there is no route')
  const request = { query: 'constructor=1', params: {}, headers: {} } as unknown as FastifyRequest
  expect(() => inputOf(route, request)).toThrow(
    expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/query/constructor' })] }),
  )
})

describe('members that are accepted in the query or in the body', () => {
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
  const ordered = (query: string, body: object) => {
    if (order === undefined) throw new Error('there is no route')
    const bytes = Buffer.from(JSON.stringify(body))
    return inputOf(order, { query, body: bytes, params: {}, headers: {} } as unknown as FastifyRequest)
  }

  test('are rejected by name if the query and the body differ', () => {
    expect(() => ordered('lang=ko', { lang: 'en' })).toThrow(
      expect.objectContaining({
        errors: [
          {
            pointer: '/lang',
            code: 'contradiction',
            detail: '"lang" has one value in the query and another in the body; send it in one of them.',
          },
        ],
      }),
    )
  })

  test('are accepted from either place, and from both if they agree', () => {
    expect(ordered('lang=ko&copies=2', { lang: 'ko', copies: 2 })).toEqual({ lang: 'ko', copies: 2 })
    expect(ordered('lang=ko', { copies: 2 })).toEqual({ lang: 'ko', copies: 2 })
  })
})
