import { beforeAll, describe, expect, test } from 'vitest'
import { contracts } from '@svc/contracts/all'
import { routesOf } from '@svc/edge'
import { everyCaller, strangerAddress, type TestCaller } from './callers.ts'
import { refusalFor } from './expectation.ts'
import { sampleRequest } from './samples.ts'
import type { World } from './world.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'] as const

let world: World
let callers: readonly TestCaller[]
/** Ids that exist, by their names in paths. */
let known: Readonly<Record<string, string>>

const routes = routesOf(contracts)

export function matrixSuite(given: () => World): void {
  beforeAll(async () => {
    world = given()
    callers = await everyCaller(world)
    known = { agent_id: String(callers.find(({ id }) => id !== undefined)?.id) }
  })

  describe('every route answers every kind of caller as its contract declares', () => {
    test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (_name, route) => {
      const declared = new Set((route.operation.refusals ?? []).map((refusal) => refusal.code))
      const wrong: string[] = []
      for (const caller of callers) {
        const { path, query, body } = sampleRequest(route, known)
        const search = new URLSearchParams(query).toString()
        const answer = await world.judged({
          method: route.method,
          path: search === '' ? path : `${path}?${search}`,
          headers: {
            ...strangerAddress(),
            ...(await caller.headers(caller.kind === 'owner' && route.operation.changesCaller === true)),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          body: body === undefined ? undefined : JSON.stringify(body),
        })
        if (caller.kind === 'owner' && route.operation.changesCaller === true) await caller.headers(true)
        const code = (answer.json as { code?: string } | null | undefined)?.code ?? ''
        const expected = refusalFor(route, caller)
        const admitted = (answer.status !== 401 && answer.status !== 403) || declared.has(code)
        const asExpected = expected === null ? admitted : answer.status === expected.status && code === expected.code
        if (!asExpected)
          wrong.push(
            `${caller.name}: ${answer.status} ${code} instead of ${expected === null ? 'being let in' : `${expected.status} ${expected.code}`}`,
          )
        const counted = caller.kind !== 'service' && expected?.status !== 403 && route.operation.limit !== 'none'
        if (counted && (answer.headers['ratelimit'] === undefined || answer.headers['ratelimit-policy'] === undefined))
          wrong.push(`${caller.name}: no RateLimit fields`)
        wrong.push(
          ...world.conformance.problemsOf(route, route.method, answer).map((problem) => `${caller.name}: ${problem}`),
        )
      }
      expect(wrong).toEqual([])
    })

    test('every credential of the matrix is still valid afterwards', async () => {
      for (const caller of callers.filter(({ kind }) => kind === 'agent' || kind === 'owner')) {
        const answer = await world.send({
          method: 'GET',
          path: '/subscriptions/status',
          headers: await caller.headers(),
        })
        expect([caller.name, answer.status]).toEqual([caller.name, 200])
      }
    })
  })

  describe('a method that a path does not declare', () => {
    test.each([...new Set(routes.map((route) => route.path))])(
      '%s answers 405 and names the declared methods',
      async (template) => {
        const there = routes.filter((route) => route.path === template)
        const [first] = there
        const path = first === undefined ? template : sampleRequest(first).path
        for (const method of METHODS) {
          // A stream does not answer HEAD.
          const route = there.find(
            (one) =>
              one.method === (method === 'HEAD' ? 'GET' : method) &&
              (method !== 'HEAD' || one.operation.stream === undefined),
          )
          const answer = await world.send({ method, path, headers: strangerAddress() })
          const label = `${method} ${path}: ${answer.status}`
          if (route === undefined) {
            expect(answer.status, label).toBe(405)
            const allow = String(answer.headers['allow']).split(', ')
            expect(allow, label).toEqual(expect.arrayContaining(there.map((one) => one.method)))
            expect(allow, label).not.toContain(method)
          } else expect(answer.status, label).not.toBe(405)
          expect(world.conformance.problemsOf(route ?? null, method, answer), label).toEqual([])
        }
      },
    )

    test('a path that does not exist answers 404 for every method', async () => {
      for (const method of METHODS) {
        const answer = await world.send({ method, path: '/no/such/path', headers: strangerAddress() })
        expect([method, answer.status]).toEqual([method, 404])
        expect(world.conformance.problemsOf(null, method, answer)).toEqual([])
      }
    })
  })
}
