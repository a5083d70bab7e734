import { contracts } from '@svc/contracts/all'
import { routesOf, type Route } from '@svc/edge'
import { beforeAll, describe, expect, test } from 'vitest'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { ask } from '../client.ts'
import { registerAgent, signIn } from '../people.ts'
import { strangerAddress } from './callers.ts'
import { BODIES, HEADERS, MEDIA_TYPES, NAMES, PATH_PARTS, TEXTS, VALUES } from './hostile.ts'
import type { RawAnswer, RawRequest } from './http.ts'
import { mutantOf } from './mutate.ts'
import { randomOf } from './random.ts'
import { rowCounts } from './row-counts.ts'
import { sampleRequest } from './samples.ts'
import type { World } from './world.ts'

const LONG = process.env['TEST_LONG'] === '1'
const REQUESTS = LONG ? 100_000 : 2_500
/** Hostile values for each member, query name and route, drawn by the seed; the long run tries all values. */
const DRAWN = LONG ? Infinity : 8
/** Hostile values for a query name that the route does not know: it is refused by its name. */
const DRAWN_UNKNOWN = LONG ? Infinity : 1
const SEED = Number(process.env['TEST_SEED'] ?? 20_261_121)
const LANES = 12

let world: World
/** Returns valid credentials for a route's auth word. */
let credentials: (route: Route) => Readonly<Record<string, string>>

/** Texts that fit into a query. */
const SENDABLE_TEXTS = TEXTS.filter((one) => one.isWellFormed() && one.length < 4_000)

const routes = routesOf(contracts)
const writing = routes.filter((route) => route.method === 'POST' || route.method === 'PUT')
const schemas = ['identity', 'mining', 'subscriptions', 'mandates', 'research_reports', 'hl_trade']

interface Problem {
  readonly code?: string
  readonly errors?: readonly { readonly pointer: string }[]
}

/** Returns how an answer to a bad request breaks the rules; empty if it keeps them. */
function rulesBroken(route: Route, asked: RawRequest, answer: RawAnswer): string[] {
  const { code, errors } = (answer.json ?? {}) as Problem
  const elsewhere = answer.status === 404 && code === 'not_found'
  const broken = world.conformance.problemsOf(elsewhere || answer.status === 431 ? null : route, asked.method, answer)
  if (answer.status === 400 && (errors === undefined || errors.length === 0)) broken.push('a 400 that names no member')
  return broken
}

async function inLanes<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.iterator]()
  const lane = async () => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

const describeRequest = (asked: RawRequest, answer: RawAnswer | null) =>
  `${asked.method} ${asked.path.slice(0, 200)} ${String(asked.body ?? '').slice(0, 200)} → ${answer?.status ?? 'no answer'} ${answer?.text.slice(0, 300) ?? ''}`

export function badInputSuite(given: () => World): void {
  beforeAll(async () => {
    world = given()
    const { house } = world.platform
    const bearer = async (wallet = privateKeyToAccount(generatePrivateKey())) => ({
      authorization: `Bearer ${(await signIn(world.url, wallet)).token}`,
    })
    const admin = await bearer(house.admin)
    const { id, key } = await registerAgent(world.url)
    const agent = { 'x-svc-user-key': key }
    // A request that its tier refuses never reaches the rules of its input.
    const grant = { user_id: id, amount: 100_000, reason: 'test' }
    await ask(world.url, '/admin/cherry/adjustments', {
      token: admin.authorization.slice('Bearer '.length),
      body: grant,
    })
    await ask(world.url, '/subscriptions/cherries/subscribe', { key, body: { tier: 2, months: 1 } })
    const secret = world.platform.servers.secrets.password('keeper-client')
    const keeper = await ask(world.url, '/auth/service/token', { body: { client_secret: secret } })
    const known: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      open: {},
      agent,
      account: agent,
      owner: await bearer(),
      reviewer: await bearer(house.reviewers[0]),
      admin,
      keeper: { authorization: `Bearer ${keeper.body.token}` },
    }
    credentials = (route) => {
      // The operation is open, but an existing key must prove the account.
      if (route.operation.auth === 'open' && route.operation.key === 'createKey') return agent
      // A key gets the scope tx from the owner of its agent only; a session of an owner needs none.
      const found = known[route.scope === 'tx' ? 'owner' : route.operation.auth]
      if (found === undefined) throw new Error(`no credentials for auth word ${route.operation.auth}`)
      return found
    }
  })

  describe('bad input', () => {
    test('in bodies is refused with the member named, and nothing is stored', async () => {
      const random = randomOf(SEED)
      const before = await rowCounts(world.databaseUrl, schemas)
      const wrong: string[] = []
      const expectRefusal = async (route: Route, asked: RawRequest, statuses: readonly number[]) => {
        const answer = await world.judged(asked)
        if (!statuses.includes(answer.status)) wrong.push(describeRequest(asked, answer))
        for (const broken of rulesBroken(route, asked, answer))
          wrong.push(`${broken}: ${describeRequest(asked, answer)}`)
      }
      const headersOf = (route: Route) => ({
        ...strangerAddress(),
        'content-type': 'application/json',
        ...credentials(route),
      })
      await inLanes(writing, async (route) => {
        const { path, body } = sampleRequest(route)
        const base = { method: route.method, path, headers: headersOf(route) }
        for (const bytes of BODIES) await expectRefusal(route, { ...base, body: bytes }, [400, 413])
        for (const name of NAMES) {
          const json = JSON.stringify(body)
          const member = `${JSON.stringify(name)}:1`
          await expectRefusal(
            route,
            { ...base, body: json === '{}' ? `{${member}}` : `${json.slice(0, -1)},${member}}` },
            [400],
          )
        }
        for (const media of MEDIA_TYPES)
          await expectRefusal(
            route,
            { ...base, headers: { ...base.headers, 'content-type': media }, body: JSON.stringify(body) },
            [415],
          )
        await expectRefusal(
          route,
          { ...base, headers: { ...base.headers, 'content-encoding': 'gzip' }, body: JSON.stringify(body) },
          [415],
        )
        await expectRefusal(route, { ...base, path: `${path}?unexpected=1`, body: JSON.stringify(body) }, [400])
        for (const name of Object.keys(body ?? {})) {
          for (const value of random.draw(VALUES, DRAWN)) {
            const changed = { ...body, [name]: value }
            if (world.conformance.acceptsBody(route, JSON.parse(JSON.stringify(changed))) !== false) continue
            await expectRefusal(route, { ...base, body: JSON.stringify(changed) }, [400, 413])
          }
        }
      })
      expect(wrong.slice(0, 20)).toEqual([])
      expect(await rowCounts(world.databaseUrl, schemas)).toEqual(before)
    })

    test('in query members and paths is refused or harmless', async () => {
      const random = randomOf(SEED)
      const wrong: string[] = []
      const ask = async (route: Route, asked: RawRequest) => {
        const answer = await world.judged(asked)
        for (const broken of rulesBroken(route, asked, answer))
          wrong.push(`${broken}: ${describeRequest(asked, answer)}`)
        return answer
      }
      await inLanes(routes, async (route) => {
        const { path, query, body } = sampleRequest(route)
        const sent = body === undefined ? {} : { body: JSON.stringify(body) }
        const headers = () => ({
          ...strangerAddress(),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...credentials(route),
        })
        if (route.operation.changesCaller === true && route.operation.auth === 'owner') return
        for (const part of route.pathNames.length > 0 ? PATH_PARTS : []) {
          const at = route.path.replaceAll(/\{\w+\}/g, () => part)
          await ask(route, { method: route.method, path: at, headers: headers(), ...sent })
        }
        if (body !== undefined) return
        for (const name of [...Object.keys(query), ...NAMES]) {
          const unknown = !Object.hasOwn(route.places, name)
          const numbers = unknown && !LONG ? [] : ['1', '201', '-1', '1.5']
          for (const text of [...random.draw(SENDABLE_TEXTS, unknown ? DRAWN_UNKNOWN : DRAWN), ...numbers]) {
            const asked = {
              method: route.method,
              path: `${path}?${encodeURIComponent(name)}=${encodeURIComponent(text)}`,
              headers: headers(),
            }
            const answer = await ask(route, asked)
            if (unknown && answer.status !== 400)
              wrong.push(`an unknown query member is accepted: ${describeRequest(asked, answer)}`)
          }
          await ask(route, {
            method: route.method,
            path: `${path}?${encodeURIComponent(name)}=1&${encodeURIComponent(name)}=2`,
            headers: headers(),
          })
        }
        for (const odd of random.draw(HEADERS, DRAWN))
          await ask(route, { method: route.method, path, headers: { ...headers(), ...odd } })
      })
      expect(wrong.slice(0, 20)).toEqual([])
    })

    test(`${REQUESTS} mutated requests get no 5xx, and every refusal says why (seed ${SEED})`, async () => {
      const random = randomOf(SEED)
      const wrong: string[] = []
      const statuses: Record<number, number> = {}
      let session = credentials

      const leaving = routes.find((route) => route.operation.changesCaller === true && route.operation.auth === 'owner')
      const leaver = privateKeyToAccount(generatePrivateKey())
      let token = (await signIn(world.url, leaver)).token
      session = (route) => (route === leaving ? { authorization: `Bearer ${token}` } : credentials(route))
      function* mutants() {
        for (let index = 0; index < REQUESTS; index += 1) {
          const route = random.pick(routes)
          yield {
            route,
            mutant: mutantOf(route, random, {
              'x-forwarded-for': `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`,
              ...session(route),
            }),
          }
        }
      }
      await inLanes(mutants(), async ({ route, mutant }) => {
        const answer = await world.judged(mutant.request).catch((error: unknown) => {
          wrong.push(`${String(error)}: ${describeRequest(mutant.request, null)}`)
          return null
        })
        if (answer === null) return
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
        if (route === leaving && answer.status < 300) ({ token } = await signIn(world.url, leaver))
        for (const broken of rulesBroken(route, mutant.request, answer))
          wrong.push(`${broken} [${mutant.changes.join(', ')}]: ${describeRequest(mutant.request, answer)}`)
        const refused = mutant.body !== undefined && world.conformance.acceptsBody(route, mutant.body) === false
        if (refused && answer.status < 300)
          wrong.push(`accepted against its schema: ${describeRequest(mutant.request, answer)}`)
      })
      expect(wrong.slice(0, 20)).toEqual([])
      // Some mutants are still valid requests, so both outcomes occur.
      expect(Object.keys(statuses).map(Number)).toEqual(expect.arrayContaining([200, 400]))
    })
  })
}
