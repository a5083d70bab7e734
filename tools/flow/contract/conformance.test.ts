import { describe, expect, test } from 'vitest'
import { openApi } from '@svc/edge'
import { documentOptions } from '../../generate/document-options.ts'
import { conformanceWith } from './conformance.ts'
import type { RawAnswer } from './http.ts'

const options = documentOptions()
const conformance = conformanceWith([openApi(options), openApi(options, 'staff')])
const route = options.routes.find((one) => one.operation.key === 'readBalance') ?? null

const answer = (
  status: number,
  body: unknown,
  type = 'application/json',
  headers: Record<string, string> = {},
): RawAnswer => ({
  status,
  headers: { 'content-type': type, 'x-request-id': 'request-1', 'x-content-type-options': 'nosniff', ...headers },
  text: JSON.stringify(body),
  json: body,
})
const good = { balance: 10, computed_at: '2026-11-21T09:30:00.000Z' }
const problem = (status: number, code: string) => ({
  type: `/problems/${code}`,
  title: 'Title',
  status,
  detail: 'Detail.',
  instance: '/subscriptions/cherries/balance',
  ok: false,
  code,
  request_id: 'request-1',
})

describe('an answer conforms', () => {
  test('if status, type and body match the document', () => {
    expect(conformance.problemsOf(route, 'GET', answer(200, good))).toEqual([])
    expect(
      conformance.problemsOf(route, 'GET', answer(401, problem(401, 'unauthenticated'), 'application/problem+json')),
    ).toEqual([])
  })
})

describe('an answer is refused', () => {
  test.each([
    ['a status that is not declared', answer(418, problem(418, 'internal'), 'application/problem+json')],
    ['a member that is not declared', answer(200, { ...good, secret: 1 })],
    ['a member that is missing', answer(200, { balance: 10 })],
    ['a member of another type', answer(200, { ...good, balance: '10' })],
    ['a time that is none', answer(200, { ...good, computed_at: 'yesterday' })],
    ['another content type', answer(200, good, 'text/html')],
    ['a code of another route', answer(401, problem(401, 'nonce_unknown'), 'application/problem+json')],
    ['a code at another status', answer(403, problem(403, 'unauthenticated'), 'application/problem+json')],
    [
      'a problem of another request',
      answer(401, { ...problem(401, 'unauthenticated'), request_id: 'request-2' }, 'application/problem+json'),
    ],
    ['a deprecation that is not declared', answer(200, good, 'application/json', { deprecation: '@1795305600' })],
    ['a 429 that does not say when', answer(429, problem(429, 'rate_limited'), 'application/problem+json')],
    ['a 5xx, declared or not', answer(500, problem(500, 'internal'), 'application/problem+json')],
  ])('for %s', (_name, wrong) => {
    expect(conformance.problemsOf(route, 'GET', wrong)).not.toEqual([])
  })
})
