import { documentsOf } from '@svc/edge'
import { describe, expect, test } from 'vitest'
import { documentOptions } from './document-options.ts'

interface Described {
  readonly rate_limits: Readonly<Record<string, unknown>>
  readonly instructions: readonly string[]
  readonly links: Readonly<Record<string, unknown>>
  readonly endpoints: readonly { readonly method: string; readonly path: string }[]
}

describe('/discovery', () => {
  const options = documentOptions()
  const { body } = documentsOf({
    ...options,
    walletLinks: ['https://wallet.example'],
    minuteLimits: { account: 61, hub_read: 611, hub_write: 67, hub_exit: 127 },
  }).find(({ path }) => path === '/discovery') ?? { body: Buffer.from('{}') }
  const { rate_limits, instructions, links, endpoints } = JSON.parse(body.toString('utf8')) as Described

  test('prints the limits of /hub as they are set', () => {
    expect(Object.values(rate_limits)).toContainEqual({
      reads_per_minute: 611,
      writes_per_minute: 67,
      exits_per_minute: 127,
    })
  })

  test('leads from registration over targets, research and reports to a mandate and its record', () => {
    const text = instructions.join('\n')
    const steps = [
      'POST /auth/agent/register',
      'POST /subscriptions/cherries/subscribe',
      'POST /agent/targets/add',
      'GET /research/pair',
      'POST /reports/pair_pdf',
      'POST /hub/mandates/draft',
      'GET /hub/mandates/{public_id}/execute-call',
      'GET /hub/mandates/{public_id}/record',
    ]
    const places = steps.map((step) => text.indexOf(step))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  })

  test('names no route that does not exist', () => {
    const routes = endpoints.map(({ method, path }) => `${method} ${path}`)
    const named = instructions.flatMap((step) => step.match(/(?:GET|POST|PUT|DELETE) \/[\w/{}-]+/g) ?? [])
    expect(named.filter((one) => !routes.includes(one))).toEqual([])
  })

  test('lists the wallets that the operator names', () => {
    expect(links['wallet']).toEqual(['https://wallet.example'])
  })
})
