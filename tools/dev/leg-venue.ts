import type { Environment } from '@svc/contract'
import type { AssetPrices } from '@svc/replay-exchange'
import { ServerProblem, type DataFolder, type Secrets } from '@svc/servers'
import { startVenueRig, type State, type VenueRig } from '@svc/venue-rig'
import { toHex } from 'viem'
import { legSeed, tradeSeed } from './access.ts'
import type { LocalChain } from './chain.ts'

/** The perpetuals venue on this machine, in which legs of mandates trade. */
export interface LegVenue {
  /** Base address; the endpoints are `/info`, `/exchange` and, with the token, `/_rig/<command>`. */
  readonly url: string
  /** Settings for services; each service gets those that it declares. */
  readonly environment: Environment
  /** Runs a command of the rig's control plane. */
  control(name: string, body?: unknown): unknown
  stop(): Promise<void>
}

/** Name of the rig's control token among the secrets of a data folder. */
export const VENUE_TOKEN = 'venue-rig'

/** Switches that a local venue sets: its workers may act, because its money is play money. */
export const LEG_SWITCHES: Environment = {
  HUB_HL_LEG_ENABLED: '1',
  HUB_STOP_LINE_DRY_RUN: '0',
  HUB_STOP_LINE_SEC: '5',
  // Its prices are those that signals record.
  SVC_OPVAULT_SIGNAL_PUBLISH_ENABLED: '1',
  // The rig counts no requests; the real venue allows 1,200 a minute.
  SVC_VENUE_WEIGHT_MINUTE: '100000',
}

/** Switches of leg money, which needs the local chain. Blocks come with transactions, so none waits for confirmations. */
const FUNDING_SWITCHES: Environment = {
  HUB_LEG_FUNDING: 'test',
  HUB_LEG_MOVER_DRY_RUN: '0',
  HUB_LEG_MOVER_SEC: '2',
  HUB_LEG_RECONCILE_DRY_RUN: '0',
  HUB_LEG_RECONCILE_SEC: '10',
  HUB_LEG_KEEPER_SIGNER: 'dev',
  SVC_LEG_CONFIRMATIONS: '0',
}

/** Settings that choose another venue, network, key or pool. With one of them in the environment no rig is started. */
const CHOICES = [
  'HUB_HL_LEG_ENABLED',
  'HUB_HL_LEG_SEED',
  'HUB_HL_NETWORK',
  'HUB_HL_INFO_URL',
  'HUB_HL_EXCHANGE_URL',
  'HUB_HL_TEST_POOL_ADDRESS',
  'HUB_HL_TEST_POOL_KEY',
  'SVC_TRADE_NETWORK',
]

/** True if the environment leaves the venue of the leg to `npm start`. */
export const venueIsOpen = (environment: Environment): boolean =>
  CHOICES.every((name) => environment[name] === undefined && environment[`${name}_FILE`] === undefined)

const FILE = 'venue.json'
const FORMAT = 1
/** Delay of a write after a change; a process that is killed loses what the venue did in this time. */
const WRITE_AFTER_MS = 100
const OWNER_USDC = '1000'
const POOL_USDC_MIN = 100_000
const POOL_USDC = '200000'
/** The venue pays no fee to a builder with less. */
const BUILDER_USDC_MIN = 100
const BUILDER_USDC = '1000'

/**
 * Starts the venue of a data folder with the state of its last start, and funds the wallets of the local chain there: a
 * demo wallet once, the house pool up to what it may lend, the builder up to what the venue requires of one. Without a
 * chain there is no pool and no builder: the leg trades without money of the house, and the trading side signs no orders.
 * Live trading stays off until somebody turns it on. With `prices` its markets follow them, but for those that its control
 * plane pinned.
 */
export async function openLegVenue(
  folder: Pick<DataFolder, 'readJson' | 'write' | 'file'>,
  secrets: Pick<Secrets, 'password'>,
  chain: Pick<LocalChain, 'wallets'> | null,
  prices?: AssetPrices,
): Promise<LegVenue> {
  let timer: NodeJS.Timeout | null = null
  const write = () => folder.write(FILE, JSON.stringify({ format: FORMAT, state: rig.state }))
  const writeSoon = () => {
    timer ??= setTimeout(() => {
      timer = null
      write()
    }, WRITE_AFTER_MS)
  }
  const state = keptState(folder)
  const rig: VenueRig = await startVenueRig({
    ...(state === null ? {} : { state }),
    token: secrets.password(VENUE_TOKEN),
    ...(prices === undefined ? {} : { prices }),
    onChange: writeSoon,
  })
  if (chain !== null) fund(rig, chain)
  write()
  return {
    url: rig.url,
    control: (name, body) => {
      const answer = rig.control(name, body)
      writeSoon()
      return answer
    },
    environment: {
      HUB_HL_INFO_URL: `${rig.url}/info`,
      HUB_HL_EXCHANGE_URL: `${rig.url}/exchange`,
      HUB_HL_LEG_SEED: legSeed(secrets),
      SVC_TRADE_AGENT_SEED: tradeSeed(secrets),
      ...LEG_SWITCHES,
      ...(chain === null
        ? {}
        : { ...poolOf(chain), ...FUNDING_SWITCHES, SVC_BUILDER_ADDRESS: chain.wallets.builder.address }),
    },
    stop: async () => {
      await rig.close()
      if (timer !== null) clearTimeout(timer)
      write()
    },
  }
}

/** Returns the settings of the house pool: the gateway's operator, whose key is public like those of all test wallets. */
function poolOf({ wallets }: Pick<LocalChain, 'wallets'>): Environment {
  return {
    HUB_HL_TEST_POOL_ADDRESS: wallets.operator.address,
    HUB_HL_TEST_POOL_KEY: toHex(wallets.operator.getHdKey().privateKey ?? new Uint8Array()),
  }
}

function keptState(folder: Pick<DataFolder, 'readJson' | 'file'>): State | null {
  const kept = folder.readJson(FILE)
  if (kept === null) return null
  if (typeof kept === 'object' && Reflect.get(kept, 'format') === FORMAT) return Reflect.get(kept, 'state') as State
  throw new ServerProblem(
    `${folder.file(FILE)} is of another version: remove the data folder to start over, or this file to start an empty venue.`,
  )
}

function fund(rig: VenueRig, { wallets }: Pick<LocalChain, 'wallets'>): void {
  const accountOf = (address: string) => rig.state.accounts[address.toLowerCase()]
  const valueOf = (address: string) => Number(accountOf(address)?.dexes['']?.raw ?? 0)
  for (const { address } of wallets.demo)
    if (accountOf(address) === undefined) rig.control('fund', { address, amount: OWNER_USDC })
  const topUp = (address: string, least: number, amount: string) => {
    if (valueOf(address) < least) rig.control('fund', { address, amount })
  }
  topUp(wallets.operator.address, POOL_USDC_MIN, POOL_USDC)
  topUp(wallets.builder.address, BUILDER_USDC_MIN, BUILDER_USDC)
}
