import { openChain, testVenueAdapters, type Chain, type ExitAdapter } from '@svc/chain'
import { SettingError, type SettingsOf } from '@svc/contract'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { keeper } from '@svc/contracts/keeper'
import type { keeperSettings } from '@svc/contracts/keeper/settings'
import { hlLeg } from '@svc/contracts/hl-leg'
import { mandates } from '@svc/contracts/mandates'
import { workerTransaction, type Tx } from '@svc/postgres'
import { clientOf, openTelegram, type Bus, type Clock, type Delivery, type Kit, type Log } from '@svc/service'
import { checkKeeper } from './signers/check-keeper.ts'
import { checkLeg, legContracts, type LegContracts } from './signers/check-leg.ts'
import { checkLocalChain } from './transactions/check-local-chain.ts'
import { openFunder } from './signers/open-funder.ts'
import { openSigners, type Signers } from './signers/open-signer.ts'
import { openPool, type HousePool } from './signers/pool.ts'
import { paymasterNote } from './signers/rules/paymaster-note.ts'
import type { Signer } from './signers/signer.ts'
import { hasSchema } from './transactions/store/transactions.ts'

/** Values of the settings that the contract declares. */
export type Settings = SettingsOf<typeof keeperSettings>

/** The dependencies of the operations and jobs of keeper. */
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
  /** The accounts that send transactions, each once. */
  readonly senders: readonly Signer[]
  /** Null unless the contracts of leg money are configured. */
  readonly legs: Legs | null
  /** The account that pays gas drips; it is opened in a dry run of marks too. Null if none is configured. */
  readonly funder: Signer | null
  /** Sends a message to the operators of the deployment; null if no chat is configured. */
  readonly operators: ((text: string) => Promise<Delivery>) | null
  readonly adapters: readonly ExitAdapter[]
  readonly ask: ReturnType<typeof neighbours>
}

/** What leg money needs. */
export interface Legs {
  readonly contracts: LegContracts
  /** Number of blocks above a log before it counts. */
  readonly confirmations: number
  /** Signs fundings; null in a dry run of the mover. */
  readonly signer: Signer | null
  /** Null without its key, and in a dry run of the mover. */
  readonly pool: HousePool | null
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
  kit: Pick<Kit<typeof keeper>, 'pool' | 'clock' | 'log' | 'settings' | 'bus'> & Partial<Pick<Kit, 'watch'>>,
): Promise<Context> {
  const { pool, clock, log, settings, bus, watch } = kit
  const note = paymasterNote(settings)
  if (note !== null) log.warn(note)
  if (!(await hasSchema(pool))) throw new SchemaMissing()
  const signers = await openSigners(settings)
  const house = openPool(settings)
  const chain = openChain(settings, { watch })
  const legs = chain === null ? null : legsOf(chain, settings, signers, house)
  const funder = await openFunder(settings, signers.mark)
  if (chain !== null) await checkChain(chain, { ...signers, funder }, legs, kit)
  const adapters = chain === null ? [] : testVenueAdapters(chain.addresses.testVenues)
  const transaction: Context['transaction'] = (work) => workerTransaction(pool, settings, work)
  const senders = sendersOf(signers.mark, legs)
  return {
    transaction,
    clock,
    log,
    settings,
    chain,
    signer: signers.mark,
    senders,
    legs,
    funder,
    operators: operatorsOf(settings),
    adapters,
    ask: neighbours(bus),
  }
}

/** Blocks above a log of leg money on a local chain, and on any other, unless the setting says otherwise. */
const CONFIRMATIONS = { local: 2, other: 12 }
const LOCAL_CHAIN_ID = 31_337

/** Returns what leg money needs; null unless its contracts are configured. */
export function legsOf(
  chain: Chain,
  { legConfirmations, moverDryRun }: Pick<Settings, 'legConfirmations' | 'moverDryRun'>,
  { leg: signer }: Pick<Signers, 'leg'>,
  pool: HousePool | null,
): Legs | null {
  const contracts = legContracts(chain)
  if (contracts === null) return null
  const confirmations = legConfirmations ?? (chain.id === LOCAL_CHAIN_ID ? CONFIRMATIONS.local : CONFIRMATIONS.other)
  return { contracts, confirmations, signer, pool: moverDryRun ? null : pool }
}

/** Returns the accounts that send decided calls, each once. */
export function sendersOf(mark: Signer | null, legs: Legs | null): readonly Signer[] {
  const all = [mark, legs?.signer ?? null, legs?.pool?.signer ?? null].filter((signer) => signer !== null)
  return [...new Map(all.map((signer) => [signer.address, signer])).values()]
}

/** Returns the chat of the operators; null unless chat and bot are configured. */
export function operatorsOf({
  telegramUrl,
  opsChatId,
  opsBotToken,
}: Pick<Settings, 'telegramUrl' | 'opsChatId' | 'opsBotToken'>): Context['operators'] {
  const telegram = openTelegram(telegramUrl, opsBotToken)
  return telegram === null || opsChatId === null ? null : (text) => telegram(opsChatId, text)
}

/** Verifies that the accounts have the roles of their switches, and that a local chain is the one that is known. */
async function checkChain(
  chain: Chain,
  { mark, leg, funder }: Signers & { readonly funder: Signer | null },
  legs: Legs | null,
  kit: Pick<Kit<typeof keeper>, 'pool' | 'clock' | 'log' | 'settings'>,
): Promise<void> {
  const { log, settings } = kit
  if (mark !== null) await checkKeeper(chain, mark, log)
  if (legs !== null && (legs.signer !== null || legs.pool !== null))
    await checkLeg(chain, legs.contracts, { keeper: leg?.address ?? null, pool: legs.pool?.address ?? null }, log)
  const isDev = settings.markSigner === 'dev' || settings.legKeeperSigner === 'dev' || settings.dripDevKey !== null
  if (isDev && (mark !== null || leg !== null || funder !== null)) await checkLocalChain(chain, kit)
}

function neighbours(bus: Bus) {
  return {
    mandates: clientOf(bus, 'keeper', mandates),
    chain: clientOf(bus, 'keeper', chainIndexer),
    legs: clientOf(bus, 'keeper', hlLeg),
  }
}
