import { contracts } from '@svc/contracts/all'
import { jsonSchema, routesOf } from '@svc/edge'
import { expect, test } from 'vitest'
import { refusalBlock } from '@svc/contracts/mandates/verdict'
import { skillText } from './skill.ts'
import { stepsOf } from './steps.ts'

/** What an agent has before the first step, and what it decides or hears from its owner. */
const BROUGHT = [
  'wallet_address',
  'purpose',
  'signature',
  'agent_name',
  'code',
  'target',
  'data',
  'approve_amount_usdc',
]

test('each step of the start needs only what an agent brings and what steps before it answer', () => {
  const routes = routesOf(contracts)
  const known = new Set(BROUGHT)
  for (const { call } of stepsOf(routes)) {
    const route = routes.find(({ method, path }) => `${method} ${path}` === call)
    if (route === undefined) throw new Error(`no route ${call}`)
    const { required = [] } = jsonSchema(route.operation.input, 'input') as { required?: string[] }
    expect(
      required.filter((name) => !known.has(name)),
      call,
    ).toEqual([])
    for (const answer of Object.values(route.operation.success))
      for (const [, name] of JSON.stringify(jsonSchema(answer, 'output')).matchAll(/"(\w+)":\{/g)) known.add(name ?? '')
  }
})

test('the skill names what each step cannot do without, and figures of a refusal that exist', () => {
  const routes = routesOf(contracts)
  const options = {
    apiBase: 'http://api',
    webBase: 'http://web',
    routes,
    refusals: new Map(),
    rateLimits: {},
    chainId: 1,
    usdc: null,
  }
  const text = skillText(options, [], [])
  expect(text).toContain('`POST /auth/agent/register` with wallet_address, signature, agent_name')
  expect(text).toContain('`POST /hub/mandates/{public_id}/accept`; tool `mandate_accept`')
  const figures = /`refusal` with (.*?): the largest/s.exec(text)?.[1] ?? ''
  const block = JSON.stringify(jsonSchema(refusalBlock, 'output'))
  const named = [...figures.matchAll(/`(\w+)`|(?<=[(, ])(\w+)(?=[,)])/g)].map(
    ([, member, inside]) => member ?? inside ?? '',
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !block.includes(`"${name}"`))).toEqual([])
})
