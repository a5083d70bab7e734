import type { SettingsOf } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import type { gallerySettings } from '@svc/contracts/gallery/settings'
import type { Pool } from '@svc/postgres'
import type { Clock, Kit, Local, Log } from '@svc/service'
import { factoryOf, type Factory } from './neighbours/factory.ts'
import { openNeighbours, type Neighbours } from './neighbours/neighbours.ts'
import { openPublicApi, type PublicApi } from './neighbours/public-api.ts'

/** Values of the settings that the contract declares. */
export type Settings = SettingsOf<typeof gallerySettings>

/** The dependencies of the operations, reactions and jobs of gallery. */
export interface Context {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  readonly settings: Settings
  readonly ask: Neighbours
  /** The public API as the house runner; null without its key. */
  readonly publicApi: PublicApi | null
  /** Null without a vault factory. */
  readonly factory: Factory | null
}

/** The members of the context that reactions may use inside their transaction. */
export type LocalContext = Local<Context, 'clock' | 'settings'>

/** Builds the context at the start of the service. */
export function createContext({ pool, clock, log, settings, bus }: Kit<typeof gallery>): Context {
  const { houseRunnerKey: apiKey, gatewayUrl } = settings
  const publicApi = apiKey === null ? null : openPublicApi({ gatewayUrl, apiKey, log })
  return { pool, clock, log, settings, ask: openNeighbours(bus), publicApi, factory: factoryOf(settings) }
}
