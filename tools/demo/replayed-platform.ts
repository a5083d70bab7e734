import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '@svc/contract'
import type { ReplayExchange } from '@svc/replay-exchange'
import { freePort } from '@svc/servers'
import { pacedClock } from '@svc/service'
import { preparePlatform, type Prepared } from '#dev/platform.ts'
import { startInProcess } from '#dev/services.ts'
import type { Platform } from './platform.ts'

/**
 * A small platform of its own in this process, whose market data reads the given exchange and lives by its clock: at
 * 300 times the speed of real time a minute of the market takes a fifth of a second.
 */
export async function startReplayedPlatform(
  exchange: ReplayExchange,
  venues: readonly string[],
  more: Environment = {},
): Promise<Platform & Pick<Prepared, 'servers'>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-replayed-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const addresses = venues.map((venue) => [`MARKET_VENUE_BASE_URL_${venue.toUpperCase()}`, exchange.venueUrl(venue)])
  const ofMarketData: Environment = { ...Object.fromEntries(addresses), MARKET_LOCAL_BUDGET_FACTOR: '1000' }
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  const platform = await preparePlatform({ dataDir, publicUrl: url, durable: false, venues: { kind: 'live', venues } })
  try {
    const services = await startInProcess(
      platform,
      (service) => ({
        SVC_PORT: String(port),
        SVC_LOG_LEVEL: 'error',
        ...more,
        ...(service === 'market-data' ? ofMarketData : {}),
      }),
      {
        overridesOf: (service) =>
          service === 'market-data'
            ? { clock: pacedClock(exchange.clock.now, () => exchange.clock.state().speed) }
            : {},
      },
    )
    return {
      url,
      house: platform.house,
      servers: platform.servers,
      stop: async () => {
        await services.stop()
        await platform.servers.stop()
        remove()
      },
    }
  } catch (error) {
    await platform.servers.stop()
    remove()
    throw error
  }
}
