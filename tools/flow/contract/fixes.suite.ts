import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../client.ts'
import { registerAgent, signIn, type Agent } from '../people.ts'
import type { World } from './world.ts'

let world: World
let agent: Agent
let owner: string

const json = { 'content-type': 'application/json' }
/** Posts to the platform with headers of our own; returns the status and the problem. */
async function post(path: string, headers: Record<string, string>, body = '{}') {
  const answer = await fetch(new URL(path, world.url), { method: 'POST', headers, body })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const askOwner = (url: string, route: string) => ({ who: 'owner', url, route })
const MAKE_CODE = askOwner('/ui/agent', 'POST /hub/agents/pair-code')

export function fixesSuite(given: () => World): void {
  beforeAll(async () => {
    world = given()
    agent = await registerAgent(world.url)
    owner = (await signIn(world.url, privateKeyToAccount(generatePrivateKey()))).token
  })

  describe('a refusal says what helps in its case', () => {
    test('a wrong pair code, and the pause after five of them', async () => {
      const { key } = await registerAgent(world.url)
      const pair = () => ask(world.url, '/hub/agents/pair', { key, body: { code: '0000-0000' } })
      for (let tries = 0; tries < 5; tries += 1) {
        const wrong = await pair()
        expect(wrong.status).toBe(404)
        expect(wrong.body).toMatchObject({ code: 'not_found', human_action: MAKE_CODE })
        expect(wrong.body.fix).toMatch(/^Ask your owner for a new code/)
      }
      const locked = await pair()
      expect([locked.status, locked.body.code]).toEqual([429, 'rate_limited'])
      expect(locked.body.fix).toMatch(/^Wait until retry_at, .* A higher tier changes nothing here\.$/)
      expect(Date.parse(locked.body.retry_at)).toBeGreaterThan(Date.now())
    })

    test('a tier that the account lacks, and a feed of a higher tier', async () => {
      const targets = await ask(world.url, '/agent/targets', { key: agent.key })
      expect([targets.status, targets.body.code]).toEqual([403, 'tier_required'])
      expect(targets.body.fix).toContain('POST /subscriptions/cherries/subscribe: {"tier": 1, "months": 1}')
      const problem = await ask(world.url, '/problems/tier_required')
      expect(JSON.stringify(problem.body)).toContain('buy the tier in required_tier')
    })

    test('a scope that only the owner grants', async () => {
      const publishing = await ask(world.url, '/hub/gallery', { key: agent.key, body: {} })
      expect(publishing.body).toMatchObject({
        code: 'missing_scope',
        required_scope: 'tx',
        human_action: askOwner('/ui/agent', 'POST /hub/agents/{agent_id}/keys/{key_id}/scopes'),
        fix: expect.stringContaining('ask your owner to grant it to this key on the page /ui/agent'),
      })
    })

    test('a call that only an owner makes', async () => {
      const code = await ask(world.url, '/hub/agents/pair-code', { key: agent.key, body: {} })
      expect(code.body).toMatchObject({ code: 'scope_denied', human_action: MAKE_CODE })
      expect(code.body.fix).toMatch(/^Ask your owner for a code/)
      const policy = await ask(world.url, `/hub/agents/${agent.id}/policy`, { method: 'PUT', key: agent.key, body: {} })
      expect(policy.body).toMatchObject({ code: 'forbidden', fix: expect.stringMatching(/^Ask your owner/) })
      const raising = await ask(world.url, '/hub/order/cap/raise', { key: agent.key, body: {} })
      expect(raising.body).toMatchObject({
        code: 'scope_denied',
        fix: expect.stringMatching(/^Ask your owner to raise the cap/),
      })
    })

    test('an agent that no owner has paired', async () => {
      const order = { market: 'hl:BTC', side: 'buy', amount_usdc: '25', mode: 'paper' }
      for (const body of [undefined, order]) {
        const path = body === undefined ? '/hub/order/cap' : '/hub/order'
        const refused = await ask(world.url, path, { key: agent.key, body })
        expect([refused.status, refused.body.code], path).toEqual([409, 'order_refused'])
        expect(refused.body, path).toMatchObject({
          detail: 'No owner has paired this agent.',
          fix: expect.stringMatching(/^Ask your owner for a pair code/),
          human_action: MAKE_CODE,
        })
      }
    })

    test('a market of another kind', async () => {
      const body = { market: 'testvenue', side: 'buy', amount_usdc: '25', mode: 'paper' }
      const order = await ask(world.url, '/hub/order', { token: owner, body })
      expect(order.status).toBe(400)
      const [market] = order.body.errors
      expect(market).toMatchObject({ pointer: '/market', detail: expect.stringContaining('GET /ui/trade/products') })
    })

    test('a body without its Content-Type, and one with another', async () => {
      const key = { 'x-svc-user-key': agent.key }
      const silent = await fetch(new URL('/hub/agents/pair', world.url), {
        method: 'POST',
        headers: key,
        body: new Uint8Array(Buffer.from('{}')),
      })
      expect(silent.status).toBe(415)
      expect(await silent.json()).toMatchObject({ detail: expect.stringContaining('has no Content-Type') })
      const form = await post('/hub/agents/pair', { ...key, 'content-type': 'application/x-www-form-urlencoded' })
      expect(form.body).toMatchObject({ detail: expect.stringContaining('is a form') })
    })

    test.each([
      [
        'an API key as a bearer token',
        () => ({ authorization: `Bearer ${agent.key}` }),
        'Send the key as X-SVC-User-Key',
      ],
      ['an API key without a scheme', () => ({ authorization: agent.key }), 'Send the key as X-SVC-User-Key'],
      ['a token as an API key', () => ({ 'x-svc-user-key': owner }), 'Send it as Authorization: Bearer'],
      [
        'both',
        () => ({ authorization: `Bearer ${owner}`, 'x-svc-user-key': agent.key }),
        'Send the one of the account',
      ],
      ['a key that nobody has', () => ({ 'x-svc-user-key': `svc_${'a'.repeat(43)}` }), 'Make a new key with POST'],
      ['a token that has ended', () => ({ authorization: 'Bearer a.b.c' }), 'Sign in again with POST'],
    ])('a credential in the wrong header: %s', async (_what, headers, fix) => {
      const { status, body } = await post('/hub/agents/pair', { ...json, ...headers() })
      expect([status, body['code']]).toEqual([401, 'unauthenticated'])
      expect(body['fix']).toContain(fix)
      expect(body['detail']).toMatch(/X-SVC-User-Key|Authorization|together/)
    })

    test('a page of a foreign origin', async () => {
      const headers = { ...json, origin: 'https://foreign.example', accept: 'application/json, text/event-stream' }
      const { status, body } = await post('/mcp', headers, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
      expect([status, body['code']]).toEqual([403, 'origin_refused'])
      expect(body['detail']).toContain('https://foreign.example')
      expect(body['fix']).toContain('ask the operator to add the origin to SVC_WEB_ORIGINS')
    })
  })
}
