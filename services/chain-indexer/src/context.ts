import { openChain, type Chain } from '@svc/chain'
import { refuse, SettingError, type SettingsOf } from '@svc/contract'
import { chainIndexerRefusals, type chainIndexer } from '@svc/contracts/chain-indexer'
import type { chainIndexerSettings } from '@svc/contracts/chain-indexer/settings'
import type { Pool } from '@svc/postgres'
import type { Clock, Kit, Log } from '@svc/service'
import { missingTables } from './streams/store/schema.ts'

/** Values of the settings that the contract declares. */
export type Settings = SettingsOf<typeof chainIndexerSettings>

/** The dependencies of the operations and jobs of chain-indexer. */
export interface Context {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  readonly settings: Settings
  /** Null without HUB_RPC_URL: the jobs do nothing, and the operations refuse. */
  readonly chain: Chain | null
}

/** A table is missing. Workers never create it, so the process exits with code 2. */
export class SchemaMissing extends SettingError {
  readonly exitCode = 2
  constructor(tables: readonly string[]) {
    super(`Missing in chain_indexer: ${tables.join(', ')}. Apply the migrations; workers change no schema.`)
  }
}

/** Builds the context at the start of the service. Rejects with `SchemaMissing`. */
export async function createContext(
  kit: Pick<Kit<typeof chainIndexer>, 'pool' | 'clock' | 'log' | 'settings'> & Partial<Pick<Kit, 'watch'>>,
): Promise<Context> {
  const { pool, clock, log, settings, watch } = kit
  const missing = await missingTables(pool)
  if (missing.length > 0) throw new SchemaMissing(missing)
  return { pool, clock, log, settings, chain: openChain(settings, { watch }) }
}

/** Returns the chain of a context; refuses with `chain_not_configured` without one. */
export function chainOfCall({ chain }: Context): Chain {
  return chain ?? refuse(chainIndexerRefusals.chainNotConfigured)
}
