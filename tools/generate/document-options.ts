import { loadSettings } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { examples } from '@svc/contracts/examples'
import { gateway } from '@svc/contracts/gateway'
import { refusalRegistry, routesOf, type DocumentOptions } from '@svc/edge'
import { agentPlaces } from '@svc/mcp'

/** Options for the documents in the repository: default settings and an address that nobody owns. */
export function documentOptions(): DocumentOptions {
  const defaults = loadSettings(gateway.settings, {})
  return {
    contracts,
    routes: routesOf(contracts),
    places: agentPlaces,
    refusals: refusalRegistry(contracts),
    publicUrl: 'https://api.platform.test',
    version: defaults.version,
    examples,
    dailyLimits: [defaults.dailyFree, defaults.dailyTier1, defaults.dailyTier2],
    minuteLimits: {
      account: defaults.accountPerMinute,
      hub_read: defaults.hubReadsPerMinute,
      hub_write: defaults.hubWritesPerMinute,
      hub_exit: defaults.hubExitsPerMinute,
    },
    openLimits: {
      perMinute: defaults.openPerMinute,
      perDay: defaults.openPerDay,
      pagesPerMinute: defaults.pagesPerMinute,
    },
  }
}
