import { openChain, testVenueAdapters, type Chain, type ExitAdapter } from '@svc/chain'
import { SettingError, type SettingsOf } from '@svc/contract'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { keeper } from '@svc/contracts/keeper'
import type { keeperSettings } from '@svc/contracts/keeper/settings'
import { mandates } from '@svc/contracts/mandates'
import { workerTransaction, type Tx } from '@svc/postgres'
import { clientOf, type Bus, type Clock, type Kit, type Log } from '@svc/service'
import { checkKeeper } from './signers/check-keeper.ts'
import { checkLocalChain } from './transactions/check-local-chain.ts'
import { openSigner } from './signers/open-signer.ts'
import type { Signer } from './signers/signer.ts'
import { hasSchema } from './transactions/store/transactions.ts'

/** Values of the settings that the contract declares. */
export type Settings = SettingsOf<typeof keeperSettings>

/** The dependencies of the jobs of keeper. */
export interface Context {
  /** Runs work in one transaction under the timeouts of workers; rejects with an outage if one is reached. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  readonly clock: Clock
  readonly log: Log
  readonly settings: Settings
  /** Null without HUB_RPC_URL: the jobs do nothing. */
  readonly chain: Chain | null
  /** Null in a dry run: nothing is stored to be sent. */
  readonly signer: Signer | null
  readonly adapters: readonly ExitAdapter[]
  readonly ask: ReturnType<typeof neighbours>
}

/** A table is missing. Workers never create it, so the process exits with code 2. */
export class SchemaMissing extends SettingError {
  readonly exitCode = 2
  constructor() {
    super('A table of keeper is missing: apply the migrations; workers change no schema.')
  }
}

/** Builds the context at the start of the service. Rejects with `SettingError`. */
export async function createContext(
  kit: Pick<Kit<typeof keeper>, 'pool' | 'clock' | 'log' | 'settings' | 'bus'>,
): Promise<Context> {
  const { pool, clock, log, settings, bus } = kit
  if (!(await hasSchema(pool))) throw new SchemaMissing()
  const signer = await openSigner(settings)
  const chain = openChain(settings)
  if (chain !== null && signer !== null) {
    await checkKeeper(chain, signer, log)
    if (settings.markSigner === 'dev') await checkLocalChain(chain, kit)
  }
  const adapters = chain === null ? [] : testVenueAdapters(chain.addresses.testVenues)
  const transaction: Context['transaction'] = (work) => workerTransaction(pool, settings, work)
  return { transaction, clock, log, settings, chain, signer, adapters, ask: neighbours(bus) }
}

function neighbours(bus: Bus) {
  return { mandates: clientOf(bus, 'keeper', mandates), chain: clientOf(bus, 'keeper', chainIndexer) }
}
