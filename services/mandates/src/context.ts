import { randomBytes } from 'node:crypto'
import type { SettingsOf } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { Pool } from '@svc/postgres'
import type { Clock, Kit, Local, Log } from '@svc/service'
import { openAgentsClient, type AgentsClient } from '#neighbours/agents-client.ts'
import { openAlertChannels, type AlertChannels } from '#alerts/alert-channels.ts'
import { openDocuments, type Documents } from '#statements/documents.ts'
import { openChainClient, type ChainClient } from '#neighbours/chain-client.ts'
import { openLiveReader, type LiveReader } from '#overview/live-reader.ts'
import { openCatalogue, type Catalogue } from '#limits/open-catalogue.ts'
import { openHallClient, type HallClient } from '#neighbours/hall-client.ts'
import { openLegClient, type LegClient } from '#neighbours/leg-client.ts'
import { deploymentOf, type Deployment } from '#neighbours/deployment.ts'

/** Everything that operations, reactions and jobs may use. */
export interface Context {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  readonly settings: SettingsOf<typeof mandates.settings>
  readonly deployment: Deployment
  readonly catalogue: Catalogue
  readonly agentsClient: AgentsClient
  readonly chainClient: ChainClient
  readonly legClient: LegClient
  readonly hallClient: HallClient
  readonly alerts: AlertChannels
  readonly documents: Documents
  /** Returns the polled figures of a mandate; null if the caller may not see the mandate. */
  readonly liveOf: LiveReader
  newPublicId(): string
  newApprovalId(): string
  newClaimToken(): string
}

/** The part of the context that a reaction may use inside its transaction. */
export type LocalContext = Local<Context, 'clock' | 'settings'> & { readonly alerts: Pick<AlertChannels, 'linkTo'> }

/** Builds the context of a starting service. Throws `SettingError`. */
export function createContext(kit: Kit<typeof mandates>): Context {
  const { pool, clock, log, settings, bus } = kit
  const deployment = deploymentOf(settings)
  return {
    pool,
    clock,
    log,
    settings,
    deployment,
    catalogue: openCatalogue(pool, deployment, settings),
    agentsClient: openAgentsClient(bus),
    chainClient: openChainClient(bus),
    legClient: openLegClient(bus),
    hallClient: openHallClient(bus),
    alerts: openAlertChannels(settings),
    documents: openDocuments(bus),
    liveOf: openLiveReader(pool),
    newPublicId: () => `mdt_${randomBytes(16).toString('hex')}`,
    newApprovalId: () => `apr_${randomBytes(16).toString('hex')}`,
    newClaimToken: () => randomBytes(32).toString('base64url'),
  }
}
