import { ok, type Caller, type Contract, type Environment } from '@svc/contract'
import { gateway } from '@svc/contracts/gateway'
import { hlLeg } from '@svc/contracts/hl-leg'
import { keeper } from '@svc/contracts/keeper'
import { mandates } from '@svc/contracts/mandates'
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
  type RunningService,
} from '@svc/service'
import { FakeClock, testStack, type TestStack } from '@svc/testing'
import { startVenueRig, type VenueRig } from '@svc/venue-rig'
import type { PrivateKeyAccount } from 'viem/accounts'
import { privateKeyToAccount } from 'viem/accounts'
import { createContext, type Context } from '#context.ts'
import { handlers } from '#handlers.ts'
import { jobs } from '#jobs.ts'

export const SEED = '11'.repeat(32)
const START = '2026-11-22T10:00:00.000Z'

/** A wallet of the tests. Owners have odd numbers, agents even ones. */
export const walletOf = (n: number): PrivateKeyAccount => privateKeyToAccount(`0x${n.toString(16).padStart(64, '0')}`)
export const ownerWallet = (id: number): PrivateKeyAccount => walletOf(2 * id + 1)

const caller = (account_id: number, kind: Caller['kind'], wallet: string | null): Caller => ({
  account_id,
  kind,
  wallet,
  roles: [],
  scopes: ['read', 'write', 'tx'],
  tier: 0,
  key_id: null,
  session_id: null,
})
export const owner = (id: number): Caller => caller(id, 'owner', ownerWallet(id).address)
export const agent = (id: number): Caller => caller(id, 'agent', walletOf(2 * id).address)

type ClientOf<C> = C extends Contract<infer P> ? ReturnType<typeof clientOf<P>> : never
type Client = ClientOf<typeof hlLeg>

/** What mandates answers and was asked; tests set answers and read questions. */
export interface MandatesPeer {
  /** Answers by operation; an operation without one fails. */
  readonly answers: Record<string, (input: never) => unknown>
  /** Questions so far, oldest first. */
  readonly asked: { readonly operation: string; readonly input: unknown }[]
  isAway: boolean
}

/** hl-leg over real NATS and Postgres, the venue on this machine, and a peer that answers for mandates. */
export interface Rig {
  readonly stack: TestStack
  readonly pool: Pool
  readonly clock: FakeClock
  readonly venue: VenueRig
  readonly mandates: MandatesPeer
  /** Context of the running service, for its functions and jobs. */
  readonly context: Context
  /** Client of the gateway for a caller, or of another service. */
  as(who: Caller | null, options?: CallOptions): Client
  from(service: 'mandates' | 'keeper'): Client
  /** Runs one tick of a job. */
  run(job: keyof typeof jobs): Promise<JobReport>
  /** Moves the clocks of the service and of the venue. */
  advance(ms: number): void
  /** Starts the service again with other settings. */
  restart(environment: Environment): Promise<void>
  /** Starts a second process of the service, with its own connections; it ends with the rig. */
  second(): Promise<Context>
  stop(): Promise<void>
}

/** Neighbours consume nothing and have no schema here. */
const peerOf = (contract: unknown) => ({ ...(contract as Contract), consumes: [], postgres: false })
const neighbours = [mandates, keeper, gateway].map(peerOf)

/**
 * Starts the service with its handlers; its jobs run only when a test runs them. The weight of requests is practically
 * unlimited unless `environment` sets it.
 */
export async function startRig(options: { readonly environment?: Environment } = {}): Promise<Rig> {
  const stack = await testStack([hlLeg as unknown as Contract, ...neighbours])
  const venue = await startVenueRig()
  const clock = new FakeClock(START)
  venue.control('time', { now_ms: clock.now().getTime() })
  const peer: MandatesPeer = { answers: {}, asked: [], isAway: false }
  const mandatesService = await startMandates(stack, peer)
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
  let running = await startLeg(clock, environment())
  const others: Started[] = []
  const pool = await openPool(stack.databaseOf('hl-leg').url)
  const buses = {
    gateway: await stack.nats.connect('gateway'),
    mandates: await stack.nats.connect('mandates'),
    keeper: await stack.nats.connect('keeper'),
  }
  return {
    stack,
    pool,
    clock,
    venue,
    mandates: peer,
    get context() {
      return running.context
    },
    as: (who, given = {}) => asking(buses.gateway, who, given),
    from: (service) => clientOf(buses[service], service, hlLeg),
    run: (job) => jobs[job](running.context)(AbortSignal.timeout(60_000)),
    advance: (ms) => {
      clock.advance(ms)
      venue.control('time', { now_ms: clock.now().getTime() })
    },
    restart: async (more) => {
      await running.service.stop()
      running = await startLeg(clock, environment(more))
    },
    second: async () => {
      const other = await startLeg(clock, environment())
      others.push(other)
      return other.context
    },
    stop: async () => {
      for (const bus of Object.values(buses)) await bus.close()
      for (const { service } of [running, ...others]) await service.stop()
      await mandatesService.stop()
      await pool.end()
      await venue.close()
      await stack.stop()
    },
  }
}

interface Started {
  readonly service: RunningService
  readonly context: Context
}

async function startLeg(clock: FakeClock, environment: Environment): Promise<Started> {
  const { promise, resolve } = Promise.withResolvers<Context>()
  const service = await startService(
    hlLeg,
    [],
    environment,
    (kit) => {
      const context = createContext(kit)
      resolve(context)
      return {
        handlers: bind<Context, AnyHandler>(handlers, context),
        jobs: Object.fromEntries(Object.keys(jobs).map((name) => [name, async () => ({ done: 0 })])),
        close: () => context.venue.close(),
      }
    },
    { clock, log: openLog('hl-leg', 'silent') },
  )
  return { service, context: await promise }
}

function asking(bus: Bus, who: Caller | null, given: CallOptions): Client {
  const client = clientOf(bus, 'gateway', hlLeg) as unknown as Record<
    string,
    (input: unknown, options: CallOptions) => Promise<unknown>
  >
  const options = { ...given, ...(who === null ? {} : { caller: who }) }
  return Object.fromEntries(
    Object.entries(client).map(([key, call]) => [key, (input: unknown) => call(input, options)]),
  ) as unknown as Client
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
