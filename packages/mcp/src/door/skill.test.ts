import { contracts } from '@svc/contracts/all'
import { gateway } from '@svc/contracts/gateway'
import { rateLimitsOf, refusalRegistry, routesOf } from '@svc/edge'
import { expect, test } from 'vitest'
import { toolsOf } from '../tools.ts'
import { skillText } from './skill.ts'

test('the skill with every tool stays below 6,144 bytes, with room for a longer address', () => {
  const { doorEnabled, legEnabled, legFunding, signalPublishEnabled, dripEnabled } = gateway.settings
  const routes = routesOf(contracts)
  const address = 'http://127.0.0.1:65535'
  const text = skillText(
    {
      apiBase: address,
      webBase: address,
      routes,
      refusals: refusalRegistry(contracts),
      rateLimits: rateLimitsOf({
        dailyLimits: [1_000_000, 1_000_000, 1_000_000],
        minuteLimits: { account: 1_000, hub_read: 1_000, hub_write: 1_000, hub_exit: 1_000 },
        openLimits: { perMinute: 1_000, perDay: 1_000_000, pagesPerMinute: 1_000 },
      }),
      chainId: 1,
      usdc: null,
    },
    toolsOf(routes),
    [doorEnabled, legEnabled, legFunding, signalPublishEnabled, dripEnabled].map(({ env }) => ({
      name: env,
      on: false,
    })),
  )
  expect(Buffer.byteLength(text)).toBeLessThan(6_100)
  const listed = text.slice(text.indexOf('## Routes with a tool now'))
  for (const { route } of toolsOf(routes)) expect(listed).toContain(`\n${route.method} ${route.path}\n`)
})
