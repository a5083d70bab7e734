import { expect, test } from 'vitest'
import { methodsOf } from './methods.ts'
import type { Route } from './routes.ts'

const route = (method: string, pattern: string, operation = {}) => ({ method, pattern, operation }) as Route
const methods = methodsOf(
  [
    route('GET', '/things'),
    route('POST', '/things/make'),
    route('GET', '/things/:id'),
    route('DELETE', '/things/:id'),
    route('GET', '/things/:id/parts'),
    route('POST', '/things/:id/parts/:part'),
    route('GET', '/v1.json'),
    route('GET', '/news/:topic', { stream: { wokenBy: [] } }),
  ],
  ['/problems/:code'],
)

const allowedAt = (path: string) => methods.allowedAt(path)?.methods

test('a literal path has its own methods, not those of a template that it also matches', () => {
  expect(allowedAt('/things/make')).toEqual(['POST'])
  expect(allowedAt('/things/17')).toEqual(['GET', 'HEAD', 'DELETE'])
  expect(allowedAt('/things/make/parts')).toEqual(['GET', 'HEAD'])
  expect(allowedAt('/things/1/parts/2')).toEqual(['POST'])
  expect(allowedAt('/news/today')).toEqual(['GET'])
  expect(allowedAt('/problems/not_found')).toEqual(['GET', 'HEAD'])
  expect(methods.allowedAt('/things/17')?.route).toBe('/things/{id}')
  for (const path of ['/', '/thing', '/things/', '/v1xjson', '/things/1/2']) expect(allowedAt(path)).toBeUndefined()
})

test('exactly the methods that a template has and a literal path lacks are listed', () => {
  expect(methods.shadowed).toEqual(['GET', 'HEAD', 'DELETE'].map((method) => ({ method, pattern: '/things/make' })))
})
