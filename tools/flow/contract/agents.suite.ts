import { eventually } from '@svc/testing'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../client.ts'
import { registerAgent, signIn } from '../people.ts'
import type { World } from './world.ts'

let world: World
/** Registers an agent and pairs it with the owner of the token. */
async function pairedWith(token: string) {
  const agent = await registerAgent(world.url)
  const made = await ask(world.url, '/hub/agents/pair-code', { token, body: {} })
  expect(made.status).toBe(201)
  const paired = await ask(world.url, '/hub/agents/pair', { key: agent.key, body: { code: made.body.code } })
  expect(paired.status, JSON.stringify(paired.body)).toBe(200)
  return { agent, paired: paired.body }
}

export function agentsSuite(given: () => World): void {
  beforeAll(() => void (world = given()))

  describe('an agent and its owner', () => {
    test('are paired by a code, and only the owner changes what the agent may do', async () => {
      const owner = await signIn(world.url, privateKeyToAccount(generatePrivateKey()))
      const { agent, paired } = await pairedWith(owner.token)
      expect(paired).toMatchObject({ owner: { owner_id: owner.id }, agent_id: agent.id, accepts_mandates: true })

      const path = `/hub/agents/${agent.id}/policy`
      const { policy } = (await ask(world.url, path, { key: agent.key })).body
      const tighter = { ...policy, max_budget_usdc: '500' }
      const byAgent = await ask(world.url, path, { method: 'PUT', key: agent.key, body: tighter })
      expect([byAgent.status, byAgent.body.code]).toEqual([403, 'forbidden'])
      const byOwner = await ask(world.url, path, { method: 'PUT', token: owner.token, body: tighter })
      expect([byOwner.status, byOwner.body.direction, byOwner.body.changes.length]).toEqual([200, 'tighten', 2])

      const me = await ask(world.url, '/hub/agents/me', { key: agent.key })
      expect(me.body).toMatchObject({ agent: { agent_id: agent.id }, agent_keys: { count: 1 }, mandates: [] })

      const denied = await ask(world.url, '/hub/agents/pair-code', { key: agent.key, body: {} })
      expect([denied.status, denied.body.code]).toEqual([403, 'scope_denied'])
    })

    test('get in Retry-After the time until the next pair code can be made', async () => {
      const owner = await signIn(world.url, privateKeyToAccount(generatePrivateKey()))
      const codes = []
      for (let made = 0; made < 6; made += 1)
        codes.push(await ask(world.url, '/hub/agents/pair-code', { token: owner.token, body: {} }))
      expect(codes.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429])
      const seconds = Number(codes[5]?.headers.get('retry-after'))
      expect(seconds).toBeGreaterThan(800)
      expect(seconds).toBeLessThanOrEqual(900)
      expect(Date.parse(codes[5]?.body.retry_at) - Date.now()).toBeGreaterThan(800_000)
    })

    test('agree on what a key may do', async () => {
      const owner = await signIn(world.url, privateKeyToAccount(generatePrivateKey()))
      const { agent } = await pairedWith(owner.token)
      const [key] = (await ask(world.url, `/hub/agents/${agent.id}`, { token: owner.token })).body.keys
      const path = `/hub/agents/${agent.id}/keys/${key.key_id}/scopes`
      const granting = await ask(world.url, path, { key: agent.key, body: { scopes: ['read', 'write', 'tx'] } })
      expect([granting.status, granting.body.code]).toEqual([403, 'forbidden'])
      expect((await ask(world.url, path, { token: owner.token, body: { scopes: ['read'] } })).status).toBe(200)
      const write = () => ask(world.url, '/hub/agents/pair', { key: agent.key, body: { code: '0000-0000' } })
      await eventually(async () => expect((await write()).body.code).toBe('missing_scope'))
      expect((await ask(world.url, '/hub/agents/me', { key: agent.key })).status).toBe(200)
    })

    test('see within seconds when and how the agent called last', async () => {
      const owner = await signIn(world.url, privateKeyToAccount(generatePrivateKey()))
      const started = Date.now() - 1_000
      const { agent } = await pairedWith(owner.token)
      await eventually(async () => {
        const { body } = await ask(world.url, `/hub/agents/${agent.id}`, { token: owner.token })
        expect(body.channel).toBe('http')
        expect(Date.parse(body.last_seen_at)).toBeGreaterThan(started)
      })
    })

    test('are one party: an owner who is a reviewer cannot review submissions of the paired agent', async () => {
      const [reviewer, other] = await Promise.all(
        world.platform.house.reviewers.map((wallet) => signIn(world.url, wallet)),
      )
      const { agent } = await pairedWith(reviewer?.token ?? '')
      const entries = [
        { field_name: 'website', field_value: 'https://example.com/', evidence_url: 'https://example.com/' },
      ]
      const body = { exchange: 'binance', symbol: 'LTC/USDT', entries }
      const submitted = await ask(world.url, '/agent/mining/submit', { key: agent.key, body })
      expect(submitted.status, JSON.stringify(submitted.body)).toBe(202)
      const path = `/admin/mining/submissions/${submitted.body.submission_ids[0]}/review`
      const own = await ask(world.url, path, { token: reviewer?.token ?? '', body: { decision: 'approve' } })
      expect([own.status, own.body.code]).toEqual([409, 'self_review'])
      expect((await ask(world.url, path, { token: other?.token ?? '', body: { decision: 'approve' } })).status).toBe(
        200,
      )
    })
  })
}
