import { type Caller, type Contract, type Environment } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { gallery } from '@svc/contracts/gallery'
import { hlLeg } from '@svc/contracts/hl-leg'
import { hlRelay } from '@svc/contracts/hl-relay'
import { identity } from '@svc/contracts/identity'
import { mandates } from '@svc/contracts/mandates'
import { subscriptions } from '@svc/contracts/subscriptions'
import { openPool, type Pool } from '@svc/postgres'
import {
  bind,
  bindReactions,
  clientOf,
  openLog,
  type AnyHandler,
  type Bus,
  type CallOptions,
  type Delivered,
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
  type Still,
  type TestStack,
} from '@svc/testing'
import { createContext, type Context } from '#context.ts'
import { handlers } from '#handlers.ts'
import { jobs } from '#jobs.ts'
import { reactions } from '#reactions.ts'

export const RIG_START = '2026-11-23T15:00:00.000Z'

const caller = (account_id: number, kind: Caller['kind'], roles: Caller['roles'] = []): Caller => ({
  account_id,
  kind,
  wallet: `0x${account_id.toString(16).padStart(40, '0')}`,
  roles,
  scopes: ['read', 'write', 'tx'],
  tier: 0,
  key_id: null,
  session_id: null,
})
/** An agent with a key of all scopes. */
export const agent = (id: number): Caller => caller(id, 'agent')
/** A signed-in owner. */
export const owner = (id: number): Caller => caller(id, 'owner')
/** An admin. */
export const admin = (id: number): Caller => caller(id, 'owner', ['admin'])

const NEIGHBOURS = { identity, mandates, leg: hlLeg, relay: hlRelay, subscriptions } as const
/** The services that gallery asks. */
export type Peers = Readonly<Record<keyof typeof NEIGHBOURS, Peer>>

type ClientOf<C> = C extends Contract<infer P> ? ReturnType<typeof clientOf<P>> : never
/** Client of the gateway for the operations of gallery. */
export type Client = ClientOf<typeof gallery>

/** gallery over real NATS and Postgres, with peers that answer for its neighbours. */
export interface GalleryRig {
  readonly stack: TestStack
  readonly pool: Pool
  readonly clock: FakeClock
  readonly peers: Peers
  /** Context of the running service, for its functions and jobs. */
  readonly context: Context
  /** Client of the gateway for a caller; null calls without a credential. */
  as(who: Caller | null, options?: CallOptions): Client
  /** Client of another service that calls gallery. */
  from(service: string): Client
  /** Runs one tick of a job. */
  run(job: string, context?: Context): Promise<JobReport>
  /** Runs the reaction to an event, such as `mandates.hallFactsChanged`, as a delivery does. */
  deliver(event: string, payload: object): Promise<void>
  /** Ends every process of the service and starts one with other settings. */
  restart(environment?: Environment): Promise<void>
  /** Starts a second process of the service, with its own connections; it ends with the rig. */
  second(): Promise<Context>
  /** Ends every process of the service; the peers and the database stay, for processes that a test starts. */
  end(): Promise<void>
  /** Settings with which the service starts. */
  environment(more?: Environment): Environment
  stop(): Promise<void>
}

/** Peers consume nothing and have no schema here. */
const peerOf = (contract: unknown): Contract => ({ ...(contract as Contract), consumes: [], postgres: false })

/**
 * Starts gallery with its handlers; its jobs and reactions run only when a test runs them. Peers answer what a test
 * sets in `rig.peers.mandates.answers.readStanding = (input) => …`.
 */
export async function startGalleryRig(
  options: { readonly environment?: Environment; readonly log?: Log } = {},
): Promise<GalleryRig> {
  const log = options.log ?? openLog('gallery', 'silent')
  // All of them: gallery consumes events of services that this rig does not play.
  const callers = contracts.filter(({ name }) => name !== 'gallery').map(peerOf)
  const stack = await testStack([gallery as unknown as Contract, ...callers], ['gallery'])
  const clock = new FakeClock(RIG_START)
  const peers = Object.fromEntries(Object.keys(NEIGHBOURS).map((key) => [key, newPeer()])) as unknown as Peers
  const neighbours = await Promise.all(
    Object.entries(NEIGHBOURS).map(([key, contract]) => playPeer(stack, contract, peers[key as keyof Peers])),
  )
  const environment = (more: Environment = {}) =>
    stack.environmentOf('gallery', { HUB_CHAIN_ID: '31337', ...options.environment, ...more })
  let running = await startGallery({ clock, log }, environment())
  const others: Still<Context>[] = []
  const pool = await openPool(stack.databaseOf('gallery').url)
  const buses = new Map<string, Bus>()
  const busOf = async (service: string): Promise<Bus> => {
    const bus = buses.get(service) ?? (await stack.nats.connect(service))
    buses.set(service, bus)
    return bus
  }
  for (const service of ['gateway', 'mandates', 'subscriptions', 'hl-leg', 'hl-relay']) await busOf(service)
  const open = (service: string): Bus => {
    const bus = buses.get(service)
    if (bus === undefined) throw new Error(`${service} has no connection in this rig`)
    return bus
  }
  return {
    stack,
    pool,
    clock,
    peers,
    get context() {
      return running.context
    },
    as: (who, given = {}) => asking(open('gateway'), 'gateway', who, given),
    from: (service) => asking(open(service), service, null, {}),
    run: (job, context = running.context) => jobOf(job)(context)(AbortSignal.timeout(600_000)),
    deliver: (event, payload) => deliver(running.context, event, payload),
    restart: async (more) => {
      for (const { service } of [running, ...others.splice(0)]) await service.stop()
      running = await startGallery({ clock, log }, environment(more))
    },
    second: async () => {
      const other = await startGallery({ clock, log }, environment())
      others.push(other)
      return other.context
    },
    end: async () => {
      for (const { service } of [running, ...others.splice(0)]) await service.stop()
    },
    environment,
    stop: async () => {
      for (const bus of buses.values()) await bus.close()
      for (const { service } of [running, ...others]) await service.stop()
      for (const service of neighbours) await service.stop()
      await pool.end()
      await stack.stop()
    },
  }
}

function jobOf(name: string): (context: Context) => Job {
  const found = (jobs as Readonly<Record<string, (context: Context) => Job>>)[name]
  if (found === undefined) throw new Error(`no job ${name}`)
  return found
}

let delivered = 0
async function deliver(context: Context, event: string, payload: object): Promise<void> {
  const reaction = bindReactions(reactions, context)[event]
  if (reaction === undefined) throw new Error(`no reaction to ${event}`)
  delivered += 1
  const at = context.clock.now().toISOString()
  const message = { id: `evt-${delivered}`, seq: delivered, at, payload } as Delivered<never>
  const prepared = (await reaction.prepare?.(message)) as never
  await context.pool.transaction((tx) => reaction.apply(tx, message, prepared))
}

const startGallery = (overrides: Overrides, environment: Environment): Promise<Still<Context>> =>
  startStill(
    gallery,
    environment,
    (kit) => {
      const context = createContext(kit as never)
      return { context, handlers: bind<Context, AnyHandler>(handlers, context) }
    },
    overrides,
  )

const asking = (bus: Bus, name: string, who: Caller | null, given: CallOptions): Client =>
  clientOf(bus, name, gallery, { ...given, ...(who === null ? {} : { caller: who }) })
