import { type Caller, type Contract, type Environment } from '@svc/contract'
import { gateway } from '@svc/contracts/gateway'
import { hlLeg } from '@svc/contracts/hl-leg'
import { hlRelay } from '@svc/contracts/hl-relay'
import { hlTrade } from '@svc/contracts/hl-trade'
import type { OwnStatusView } from '@svc/contracts/hl-trade/account'
import { identity } from '@svc/contracts/identity'
import { mandates } from '@svc/contracts/mandates'
import { openPool, type Pool } from '@svc/postgres'
import {
  bind,
  clientOf,
  openLog,
  type AnyHandler,
  type Bus,
  type CallOptions,
  type Job,
  type JobReport,
  type Log,
  type Overrides,
} from '@svc/service'
import {
  FakeClock,
  newPeer,
  playPeer,
  startStill,
  testStack,
  type Peer,
  type PeerAnswers,
  type Still,
  type TestStack,
} from '@svc/testing'
import { startVenueRig, type VenueRig } from '@svc/venue-rig'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createContext, type Context } from '#context.ts'
import { handlers } from '#handlers.ts'
import { jobs } from '#jobs.ts'
import { handsOf, owner, ownerWallet, signTypedData, walletOf, type VenueHands } from '@svc/venue-rig/owners'
import { answerAsIdentity } from './identity-answers.ts'
import { answerAsRelay } from './relay-answers.ts'

export { agent, owner, ownerWallet, signTypedData, walletOf } from '@svc/venue-rig/owners'

/** Seed of the order keys. */
export const TRADE_SEED = '33'.repeat(32)
/** The builder; its account at the venue holds what builders must hold. */
export const BUILDER = walletOf(90_001)
const START = '2026-11-23T15:00:00.000Z'

/** The services that hl-trade asks. */
export interface Peers {
  readonly identity: Peer
  readonly mandates: Peer
  readonly leg: Peer
  readonly relay: Peer
}

type ClientOf<C> = C extends Contract<infer P> ? ReturnType<typeof clientOf<P>> : never
type Client = ClientOf<typeof hlTrade>

/** hl-trade over real NATS and Postgres, the venue on this machine, and peers that answer for its neighbours. */
export interface TradeRig extends VenueHands {
  readonly stack: TestStack
  readonly pool: Pool
  readonly clock: FakeClock
  readonly venue: VenueRig
  readonly peers: Peers
  /** Owners of paired agents, by agent. */
  readonly pairs: Map<number, number>
  /** Wallets with a live leg, lower case, and its mandate. */
  readonly legs: Map<string, string>
  /** Context of the running service, for its functions and jobs. */
  readonly context: Context
  /** Client of the gateway for a caller. */
  as(who: Caller | null, options?: CallOptions): Client
  /** Runs one tick of a job. */
  run(job: string, context?: Context): Promise<JobReport>
  /** Moves the clocks of the service and of the venue. */
  advance(ms: number): void
  /** The settings of a further process of the service. */
  environment(more?: Environment): Environment
  /** Ends every process of the service and starts one with other settings. */
  restart(environment: Environment): Promise<void>
  /** Starts a second process of the service, with its own connections; it ends with the rig. */
  second(): Promise<Context>
  /** Ends every process of the service; the venue goes on. */
  end(): Promise<void>
  /** Pays USDC into the account of an owner at the venue. */
  fund(ownerId: number, usdc?: string): void
  /** Links the wallet of an owner, as the owner does. */
  link(ownerId: number, wallet?: PrivateKeyAccount): Promise<OwnStatusView>
  /** Funds and links an owner's account, and approves the order key and the builder fee with its wallet. */
  enable(ownerId: number, usdc?: string): Promise<OwnStatusView>
  stop(): Promise<void>
}

/** Neighbours consume nothing and have no schema here. */
const peerOf = (contract: unknown): Contract => ({ ...(contract as Contract), consumes: [], postgres: false })

/**
 * Starts the service with its handlers; its jobs run only when a test runs them. Peers: identity knows pairs and writes
 * messages to link wallets; hl-leg has always weight; hl-relay reads the venue; mandates answers what a test sets.
 */
export async function startTradeRig(
  options: { readonly environment?: Environment; readonly log?: Log } = {},
): Promise<TradeRig> {
  const log = options.log ?? openLog('hl-trade', 'silent')
  const stack = await testStack([
    hlTrade as unknown as Contract,
    ...[gateway, identity, mandates, hlLeg, hlRelay].map(peerOf),
  ])
  const venue = await startVenueRig()
  const clock = new FakeClock(START)
  venue.control('time', { now_ms: clock.now().getTime() })
  venue.control('fund', { address: BUILDER.address, amount: '1000' })
  const peers: Peers = { identity: newPeer(), mandates: newPeer(), leg: newPeer(), relay: newPeer() }
  const pairs = new Map<number, number>()
  const legs = new Map<string, string>()
  Object.assign(peers.identity.answers, answerAsIdentity({ clock, pairs }))
  Object.assign(peers.leg.answers, answerAsLeg(legs))
  const relay = answerAsRelay({ clock, venueUrl: venue.url })
  Object.assign(peers.relay.answers, relay.answers)
  const neighbours = await Promise.all([
    playPeer(stack, identity, peers.identity),
    playPeer(stack, mandates, peers.mandates),
    playPeer(stack, hlLeg, peers.leg, ['spendVenueWeight']),
    playPeer(stack, hlRelay, peers.relay),
  ])
  const environment = (more: Environment = {}) =>
    stack.environmentOf('hl-trade', {
      SVC_TRADE_AGENT_SEED: TRADE_SEED,
      SVC_BUILDER_ADDRESS: BUILDER.address,
      SVC_LIVE_TRADING_ENABLED: '1',
      HUB_HL_INFO_URL: `${venue.url}/info`,
      HUB_HL_EXCHANGE_URL: `${venue.url}/exchange`,
      HUB_CHAIN_ID: '31337',
      ...options.environment,
      ...more,
    })
  let running = await startTrade({ clock, log }, environment())
  const others: Still<Context>[] = []
  const pool = await openPool(stack.databaseOf('hl-trade').url)
  const bus = await stack.nats.connect('gateway')
  return {
    stack,
    pool,
    clock,
    venue,
    peers,
    pairs,
    legs,
    get context() {
      return running.context
    },
    as: (who, given = {}) => asking(bus, who, given),
    run: (job, context = running.context) => jobOf(job)(context)(AbortSignal.timeout(600_000)),
    advance: (ms) => {
      clock.advance(ms)
      venue.control('time', { now_ms: clock.now().getTime() })
    },
    environment,
    restart: async (more) => {
      for (const { service } of [running, ...others.splice(0)]) await service.stop()
      running = await startTrade({ clock, log }, environment(more))
    },
    second: async () => {
      const other = await startTrade({ clock, log }, environment())
      others.push(other)
      return other.context
    },
    end: async () => {
      for (const { service } of [running, ...others.splice(0)]) await service.stop()
    },
    fund: (ownerId, usdc = '1000') => venue.control('fund', { address: ownerWallet(ownerId).address, amount: usdc }),
    link: (ownerId, wallet = ownerWallet(ownerId)) => linkAs(asking(bus, owner(ownerId), {}), wallet),
    enable: async (ownerId, usdc = '1000') => {
      const wallet = ownerWallet(ownerId)
      venue.control('fund', { address: wallet.address, amount: usdc })
      const client = asking(bus, owner(ownerId), {})
      const { order_key, builder_fee } = (await linkAs(client, wallet)).approvals
      for (const offer of [order_key, builder_fee]) {
        if (offer === null) continue
        const signature = await signTypedData(wallet, offer.typed_data)
        await client.relayApproval({ signature, nonce: offer.nonce })
      }
      return client.verifyApprovals({})
    },
    ...handsOf(venue, clock),
    stop: async () => {
      await bus.close()
      for (const { service } of [running, ...others]) await service.stop()
      for (const service of neighbours) await service.stop()
      await relay.close()
      await pool.end()
      await venue.close()
      await stack.stop()
    },
  }
}

function jobOf(name: string): (context: Context) => Job {
  const found = (jobs as Readonly<Record<string, (context: Context) => Job>>)[name]
  if (found === undefined) throw new Error(`no job ${name}`)
  return found
}

async function linkAs(client: Client, wallet: PrivateKeyAccount): Promise<OwnStatusView> {
  const { message } = await client.challengeLink({ wallet_address: wallet.address })
  return client.linkOwnAccount({ signature: await wallet.signMessage({ message }) })
}

/** hl-leg as hl-trade needs it: weight is always spent at once. */
const answerAsLeg = (legs: Map<string, string>): PeerAnswers => ({
  spendVenueWeight: () => ({ retry_at: null }),
  readLegOfOwner: ({ address }: { address: string }) => {
    const public_id = legs.get(address)
    return { leg: public_id === undefined ? null : { public_id, state: 'bound' } }
  },
})

const startTrade = (overrides: Overrides, environment: Environment): Promise<Still<Context>> =>
  startStill(
    hlTrade,
    environment,
    (kit) => {
      const context = createContext(kit)
      return {
        context,
        handlers: bind<Context, AnyHandler>(handlers, context),
        close: () => context.venue.close(),
      }
    },
    overrides,
  )

const asking = (bus: Bus, who: Caller | null, given: CallOptions): Client =>
  clientOf(bus, 'gateway', hlTrade, { ...given, ...(who === null ? {} : { caller: who }) })
