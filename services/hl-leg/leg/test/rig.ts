import { ok, refuse, type Caller, type Contract, type Environment } from '@svc/contract'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import { gallery } from '@svc/contracts/gallery'
import { gateway } from '@svc/contracts/gateway'
import { hlLeg } from '@svc/contracts/hl-leg'
import { identity } from '@svc/contracts/identity'
import { keeper } from '@svc/contracts/keeper'
import type { LegView } from '@svc/contracts/hl-leg/legs'
import { hlTrade } from '@svc/contracts/hl-trade'
import { mandates } from '@svc/contracts/mandates'
import type { LegMandate } from '@svc/contracts/mandates/leg'
import { mandateLimits } from '@svc/contracts/mandates/limit-schemas'
import { unknownMandate } from '@svc/contracts/mandates/refusals'
import { openPool, type Pool } from '@svc/postgres'
import {
  bind,
  clientOf,
  openLog,
  Outage,
  startService,
  type AnyHandler,
  type Bus,
  type CallOptions,
  type JobReport,
  type Log,
  type Overrides,
  type RunningService,
} from '@svc/service'
import { withClient } from '@svc/servers'
import { FakeClock, startStill, testStack, type Still, type TestStack } from '@svc/testing'
import { startVenueRig, type VenueRig } from '@svc/venue-rig'
import { handsOf, owner, ownerWallet, signTypedData, type VenueHands } from '@svc/venue-rig/owners'
import { createContext, type Context } from '#context.ts'
import { handlers } from '#handlers.ts'
import { jobs } from '#jobs.ts'
import { newIdentityPeer, type IdentityPeer } from './identity-peer.ts'

export { agent, owner, ownerWallet, signTypedData, walletOf } from '@svc/venue-rig/owners'

export const SEED = '11'.repeat(32)
const START = '2026-11-22T10:00:00.000Z'

type ClientOf<C> = C extends Contract<infer P> ? ReturnType<typeof clientOf<P>> : never
type Client = ClientOf<typeof hlLeg>

/** What mandates answers and was asked; tests set answers and read questions. */
export interface MandatesPeer {
  /** Mandates that it knows, by public id. */
  readonly known: Map<string, LegMandate>
  /** Answers by operation; an operation without one fails. */
  readonly answers: Record<string, (input: never) => unknown>
  /** Questions so far, oldest first. */
  readonly asked: { readonly operation: string; readonly input: unknown }[]
  isAway: boolean
}

/** What chain-indexer answers of the legs of all vaults. */
export interface ChainPeer {
  /** False: they have ended. */
  open: boolean
  isAway: boolean
}

/** hl-leg over real NATS and Postgres, the venue on this machine, and a peer that answers for mandates. */
export interface Rig extends VenueHands {
  readonly stack: TestStack
  readonly pool: Pool
  readonly clock: FakeClock
  readonly venue: VenueRig
  readonly mandates: MandatesPeer
  readonly identity: IdentityPeer
  readonly chain: ChainPeer
  /** Context of the running service, for its functions and jobs. */
  readonly context: Context
  /** Client of the gateway for a caller, or of another service. */
  as(who: Caller | null, options?: CallOptions): Client
  from(service: 'mandates' | 'keeper' | 'hl-trade' | 'gallery'): Client
  /** Settings of a process of the service. */
  environment(more?: Environment): Environment
  /** Runs one tick of a job. */
  run(job: keyof typeof jobs, context?: Context): Promise<JobReport>
  /** Moves the clocks of the service and of the venue. */
  advance(ms: number): void
  /** Starts the service again with other settings. */
  restart(environment: Environment): Promise<void>
  /** Adds a mandate of an owner with a leg, working unless `changed` says otherwise. */
  mandate(ownerId: number, changed?: Partial<LegMandate>): LegMandate
  /** Funds an owner's account at the venue, approves the mandate's key with the owner's wallet and binds it. */
  bind(mandate: LegMandate, usdc?: string): Promise<LegView>
  /** Returns the payloads of `legChanged` events of a mandate, oldest first. */
  eventsOf(publicId: string): Promise<readonly LegChange[]>
  /** Returns how many executions of others were told of a leg's account by UTC day, oldest first. */
  foreignFillsOf(publicId: string): Promise<readonly { readonly day: string; readonly fills: number }[]>
  /** Returns what was published of the end of a mandate's leg in place of its owner, in USDC text. */
  endsOf(publicId: string): Promise<readonly { readonly owed_usdc: string; readonly fee_owed_usdc: string }[]>
  /** Returns what owners of a mandate's leg were told of the switch, oldest first. */
  switchesOf(publicId: string): Promise<readonly { readonly off: boolean; readonly since: string }[]>
  /** Ends every process of the service; the venue goes on. */
  end(): Promise<void>
  /** Starts a second process of the service, with its own connections; it ends with the rig. */
  second(): Promise<Context>
  stop(): Promise<void>
}

/** Neighbours consume nothing and have no schema here. */
const peerOf = (contract: unknown) => ({ ...(contract as Contract), consumes: [], postgres: false })
const neighbours = [mandates, keeper, gateway, identity, hlTrade, gallery, chainIndexer].map(peerOf)

export interface RigOptions {
  readonly environment?: Environment
  readonly log?: Log
  /** Contracts of further processes, which a test starts itself. */
  readonly beside?: readonly Contract[]
}

/**
 * Starts the service with its handlers; its jobs run only when a test runs them. The weight of requests is practically
 * unlimited unless `environment` sets it.
 */
export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const log = options.log ?? openLog('hl-leg', 'silent')
  const stack = await testStack([hlLeg as unknown as Contract, ...neighbours, ...(options.beside ?? [])])
  await keepEvents(stack.databaseOf('hl-leg').superuserUrl)
  const venue = await startVenueRig()
  const clock = new FakeClock(START)
  venue.control('time', { now_ms: clock.now().getTime() })
  const peer: MandatesPeer = { known: new Map(), answers: {}, asked: [], isAway: false }
  Object.assign(peer.answers, answersOf(peer))
  const mandatesService = await startMandates(stack, peer)
  const chain: ChainPeer = { open: true, isAway: false }
  const chainService = await startChain(stack, chain)
  const signer = newIdentityPeer()
  const identityService = await signer.start(stack, peerOf(identity))
  const environment = (more: Environment = {}) =>
    stack.environmentOf('hl-leg', {
      HUB_HL_LEG_ENABLED: '1',
      HUB_HL_LEG_SEED: SEED,
      HUB_HL_INFO_URL: `${venue.url}/info`,
      HUB_HL_EXCHANGE_URL: `${venue.url}/exchange`,
      SVC_VENUE_WEIGHT_MINUTE: '1000000',
      HUB_CHAIN_ID: '31337',
      ...options.environment,
      ...more,
    })
  let running = await startLeg({ clock, log }, environment())
  const others: Still<Context>[] = []
  let made = 0
  const pool = await openPool(stack.databaseOf('hl-leg').url)
  const buses = {
    gateway: await stack.nats.connect('gateway'),
    mandates: await stack.nats.connect('mandates'),
    keeper: await stack.nats.connect('keeper'),
    gallery: await stack.nats.connect('gallery'),
    'hl-trade': await stack.nats.connect('hl-trade'),
  }
  return {
    stack,
    pool,
    clock,
    venue,
    mandates: peer,
    identity: signer.peer,
    chain,
    get context() {
      return running.context
    },
    as: (who, given = {}) => asking(buses.gateway, who, given),
    from: (service) => clientOf(buses[service], service, hlLeg),
    environment,
    run: (job, context = running.context) => jobs[job](context)(AbortSignal.timeout(600_000)),
    advance: (ms) => {
      clock.advance(ms)
      venue.control('time', { now_ms: clock.now().getTime() })
    },
    restart: async (more) => {
      await running.service.stop()
      running = await startLeg({ clock, log }, environment(more))
    },
    mandate: (ownerId, changed = {}) => {
      made += 1
      const mandate = legMandateOf(made, ownerId, clock.now(), changed)
      peer.known.set(mandate.public_id, mandate)
      return mandate
    },
    bind: async ({ public_id, owner_id }, usdc = '1000') => {
      venue.control('fund', { address: ownerWallet(owner_id).address, amount: usdc })
      const client = asking(buses.gateway, owner(owner_id), {})
      const { typed_data, nonce } = await client.prepareApproval({ public_id })
      const signature = await signTypedData(ownerWallet(owner_id), typed_data)
      return (await client.bindLeg({ public_id, signature, nonce })).leg
    },
    eventsOf: (publicId) => eventsOf(stack.databaseOf('hl-leg').superuserUrl, 'legChanged', publicId),
    foreignFillsOf: (publicId) => eventsOf(stack.databaseOf('hl-leg').superuserUrl, 'foreignFillsCounted', publicId),
    endsOf: (publicId) => eventsOf(stack.databaseOf('hl-leg').superuserUrl, 'legEnded', publicId),
    switchesOf: (publicId) => eventsOf(stack.databaseOf('hl-leg').superuserUrl, 'legSwitched', publicId),
    ...handsOf(venue, clock),
    end: async () => {
      for (const { service } of [running, ...others.splice(0)]) await service.stop()
    },
    second: async () => {
      const other = await startLeg({ clock, log }, environment())
      others.push(other)
      return other.context
    },
    stop: async () => {
      for (const bus of Object.values(buses)) await bus.close()
      for (const { service } of [running, ...others]) await service.stop()
      await mandatesService.stop()
      await chainService.stop()
      await identityService.stop()
      await pool.end()
      await venue.close()
      await stack.stop()
    },
  }
}

/** A mandate with a leg: 500 USDC, at most 200 a day, until in ten days. */
function legMandateOf(n: number, ownerId: number, now: Date, changed: Partial<LegMandate>): LegMandate {
  const ends_at = new Date(now.getTime() + 10 * 86_400_000).toISOString()
  const given = {
    budget_usdc: '500',
    per_tx_cap_usdc: '100',
    daily_cap_usdc: '200',
    stop_line_usdc: '100',
    approval_above_usdc: null,
    markets: ['hl:BTC', 'hl:ETH', 'hl:xyz:TSLA'],
    ends_at,
    fee_bps: 1000,
    hl_leg: true,
    leg_budget_usdc: '500',
    close_if_silent_minutes: null,
    public_proof: false,
  }
  return {
    public_id: `mdt_${n.toString(16).padStart(32, '0')}`,
    name: `Mandate ${n}`,
    state: 'working',
    owner_id: ownerId,
    owner_wallet: ownerWallet(ownerId).address,
    agent_id: 1_000 + ownerId,
    limits: mandateLimits.parse(given),
    markets: given.markets.map((market_id) => ({ market_id, status: 'paper' as const })),
    terms_hash: `0x${'7e'.repeat(32)}`,
    ends_at,
    stop_cause: null,
    stopped_at: null,
    agent_acted_at: null,
    vault: null,
    ...changed,
  }
}

/** Reads of known mandates; a mandate of somebody else is unknown. */
const answersOf = ({ known }: MandatesPeer): MandatesPeer['answers'] => ({
  readLegMandate: ({ public_id, account_id, as }: { public_id: string; account_id: number; as: string }) => {
    const mandate = known.get(public_id)
    const party = as === 'owner' ? mandate?.owner_id : mandate?.agent_id
    if (mandate === undefined || party !== account_id) refuse(unknownMandate)
    return { mandate }
  },
  listLegMandates: ({ public_ids }: { public_ids: string[] }) => ({
    mandates: public_ids.flatMap((id) => known.get(id) ?? []),
  }),
})

type LegChange = { readonly state: string; readonly epoch: number; readonly reason: string | null }

/** Copies each event into a table that only tests read: the outbox forgets what was published. */
const keepEvents = (url: string) =>
  withClient(url, async (client) => {
    await client.query(`
      CREATE TABLE hl_leg.kept_event (id bigserial, subject text, payload json);
      CREATE FUNCTION hl_leg.keep_event() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO hl_leg.kept_event (subject, payload) VALUES (NEW.subject, NEW.payload); RETURN NEW; END $$;
      CREATE TRIGGER keep_event AFTER INSERT ON hl_leg.outbox FOR EACH ROW EXECUTE FUNCTION hl_leg.keep_event();`)
  })

const eventsOf = <T>(url: string, event: string, publicId: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ payload: T }>(
      `SELECT payload FROM hl_leg.kept_event WHERE subject = $1 AND payload->>'public_id' = $2 ORDER BY id`,
      [`evt.hl-leg.${event}`, publicId],
    )
    return rows.map(({ payload }) => payload)
  })

const startLeg = (overrides: Overrides, environment: Environment): Promise<Still<Context>> =>
  startStill(
    hlLeg,
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
  clientOf(bus, 'gateway', hlLeg, { ...given, ...(who === null ? {} : { caller: who }) })

function startChain(stack: TestStack, peer: ChainPeer): Promise<RunningService> {
  const contract = peerOf(chainIndexer)
  const silent: AnyHandler = () => Promise.reject(new Error('no part of this test'))
  const readVaultLeg: AnyHandler = async () => {
    if (peer.isAway) throw new Outage('test', 'chain-indexer is away')
    return ok(200, { block_number: 1, open: peer.open, seq: '1', out: '0' })
  }
  return startService(contract, [], stack.environmentOf('chain-indexer'), () => ({
    handlers: { ...Object.fromEntries(Object.keys(contract.operations).map((key) => [key, silent])), readVaultLeg },
    jobs: Object.fromEntries(Object.keys(contract.jobs).map((key) => [key, async () => ({ done: 0 })])),
  }))
}

function startMandates(stack: TestStack, peer: MandatesPeer): Promise<RunningService> {
  const contract = peerOf(mandates)
  const answer =
    (operation: string): AnyHandler =>
    async (input: never) => {
      if (peer.isAway) throw new Outage('test', 'mandates is away')
      peer.asked.push({ operation, input })
      const given = peer.answers[operation]
      if (given === undefined) throw new Error(`${operation} is no part of this test`)
      return ok(200, await given(input))
    }
  return startService(contract, [], stack.environmentOf('mandates'), () => ({
    handlers: Object.fromEntries(Object.keys(contract.operations).map((key) => [key, answer(key)])),
    jobs: Object.fromEntries(Object.keys(contract.jobs).map((key) => [key, async () => ({ done: 0 })])),
  }))
}
