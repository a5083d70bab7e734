import { randomBytes } from 'node:crypto'
import type { SettingsOf } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { Pool } from '@svc/postgres'
import type { Clock, Kit, Local, Log } from '@svc/service'
import { openAccounts, type Accounts } from '#neighbours/agents-client.ts'
import { openAlertChannels, type AlertChannels } from '#alerts/alert-channels.ts'
import { openDocuments, type Documents } from '#statements/documents.ts'
import { openIndexer, type Indexer } from '#neighbours/chain-client.ts'
import { openLiveReader, type LiveReader } from '#overview/live-reader.ts'
import { marketsOf } from '#limits/market-catalogue.ts'
import { placeOf, type Place } from '#neighbours/deployment.ts'
import type { Market } from '@svc/contracts/mandates/limits'

/** Everything the functions of mandates may touch. */
export interface Context {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  readonly settings: SettingsOf<typeof mandates.settings>
  readonly place: Place
  readonly markets: readonly Market[]
  readonly accounts: Accounts
  readonly indexer: Indexer
  readonly alerts: AlertChannels
  readonly documents: Documents
  /** What is polled of a mandate; null for whom it is not there. */
  readonly liveOf: LiveReader
  newPublicId(): string
  newApprovalId(): string
  newClaimToken(): string
}

/** What a reaction may use inside its transaction. */
export type LocalContext = Local<Context, 'clock' | 'alerts' | 'settings'>

/** Builds the context of a starting service. Throws `SettingError`. */
export function createContext(kit: Kit<typeof mandates>): Context {
  const { pool, clock, log, settings, bus } = kit
  const place = placeOf(settings)
  return {
    pool,
    clock,
    log,
    settings,
    place,
    markets: marketsOf(place),
    accounts: openAccounts(bus),
    indexer: openIndexer(bus),
    alerts: openAlertChannels(settings),
    documents: openDocuments(bus),
    liveOf: openLiveReader(pool),
    newPublicId: () => `mdt_${randomBytes(16).toString('hex')}`,
    newApprovalId: () => `apr_${randomBytes(16).toString('hex')}`,
    newClaimToken: () => randomBytes(32).toString('base64url'),
  }
}
