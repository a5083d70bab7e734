import { rmSync } from 'node:fs'
import type { Environment } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { routesOf, type Route } from '@svc/edge'
import { freePort } from '@svc/servers'
import { eventually } from '@svc/testing'
import { NO_LIMITS } from '../../dev/no-limits.ts'
import { preparePlatform, type Prepared } from '../../dev/platform.ts'
import { startInProcess } from '../../dev/services.ts'
import { ONE_VENUE, type VenueChoice } from '../../dev/venues.ts'
import { newDataFolder } from '../data-folder.ts'
import { ticksOf } from '../worker-ticks.ts'
import { conformanceWith, type Conformance } from './conformance.ts'
import { rawClient, type RawAnswer, type RawRequest } from './http.ts'

/** A whole platform in this process, its client, and the conformance check of its answers. */
export interface World {
  readonly url: string
  readonly platform: Prepared
  readonly routes: readonly Route[]
  readonly conformance: Conformance
  /** Address of the platform's database for the superuser. */
  readonly databaseUrl: string
  /** Returns the number of ticks that a job has ended; 0 before the first. */
  ticksOf(worker: string): Promise<number>
  send(asked: RawRequest): Promise<RawAnswer>
  /**
   * Returns the answer to a request that was judged. On a busy machine a call may reach its deadline, and the answer asks the
   * caller to try again; a request that is answered so each time fails the test.
   */
  judged(asked: RawRequest): Promise<RawAnswer>
  stop(): Promise<void>
}

const SETTINGS: Environment = {
  ...NO_LIMITS,
  SVC_TRUSTED_PROXIES: '127.0.0.1',
  SVC_MINING_EVIDENCE_TIMEOUT_MS: '500',
  SVC_LOG_LEVEL: 'silent',
  HUB_HL_LEG_ENABLED: '1',
  HUB_HL_LEG_SEED: '5e'.repeat(32),
  SVC_OPVAULT_SIGNAL_PUBLISH_ENABLED: '1',
}

export interface WorldOptions {
  readonly chain?: boolean
  readonly leg?: boolean
  readonly venues?: VenueChoice
}

/**
 * Starts a platform on separate servers and a free port, with a local chain if `chain` is set, and with the venue of the
 * leg if `leg` is set. Calls are practically unlimited unless `more` sets limits.
 */
export async function startWorld(
  more: Environment = {},
  { chain = false, leg = false, venues = ONE_VENUE }: WorldOptions = {},
): Promise<World> {
  const dataDir = newDataFolder('contract')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const platform = await preparePlatform({ dataDir, publicUrl: url, durable: false, chain, leg, venues })
  const running = await startInProcess(platform, () => ({ ...SETTINGS, SVC_PORT: String(port), ...more }))
  const client = rawClient(url)
  const documents = await Promise.all(
    ['/openapi.json', '/openapi-staff.json'].map(async (path) => (await client.send({ method: 'GET', path })).json),
  )
  const database = new URL(platform.servers.postgres.url)
  database.pathname = '/platform'
  return {
    url,
    platform,
    routes: routesOf(contracts),
    conformance: conformanceWith(documents as { readonly [key: string]: unknown }[]),
    databaseUrl: database.href,
    ticksOf: (worker) => ticksOf(running.internalPorts.get('gateway'), worker),
    send: (asked) => client.send(asked),
    judged: (asked) =>
      eventually(async () => {
        const answer = await client.send(asked)
        if ((answer.json as { code?: string } | null | undefined)?.code === 'temporarily_unavailable')
          throw new Error(`not judged: ${asked.method} ${asked.path.slice(0, 200)}: ${answer.text.slice(0, 300)}`)
        return answer
      }),
    stop: async () => {
      client.close()
      await running.stop()
      await platform.servers.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
