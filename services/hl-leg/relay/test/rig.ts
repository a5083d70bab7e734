import { randomUUID } from 'node:crypto'
import type { Contract, Environment } from '@svc/contract'
import { gateway } from '@svc/contracts/gateway'
import { hlLeg } from '@svc/contracts/hl-leg'
import { hlRelay } from '@svc/contracts/hl-relay'
import { hlTrade } from '@svc/contracts/hl-trade'
import { identity } from '@svc/contracts/identity'
import { keeper } from '@svc/contracts/keeper'
import { mandates } from '@svc/contracts/mandates'
import { withClient } from '@svc/servers'
import { type AnyHandler, bind, callRaw, clientOf, openLog, unwatched } from '@svc/service'
import { FakeClock, startStill, testStack, type TestStack } from '@svc/testing'
import type { WeightClass } from '@svc/venue/rules/weights'
import { startVenueRig, type VenueRig } from '@svc/venue-rig'
import { createContext as createLegContext, type Context as LegContext } from '@svc/hl-leg/context'
import { handlers as legHandlers } from '@svc/hl-leg/handlers'
import { createContext, type Context } from '#context.ts'
import { handlers } from '#handlers.ts'
import { handsOf, type VenueHands } from '@svc/venue-rig/owners'

const START = '2026-11-20T15:00:00.000Z'

type ClientOf<C> = C extends Contract<infer P> ? ReturnType<typeof clientOf<P>> : never
type Client = ClientOf<typeof hlRelay>

/** An answer as the gateway gets it. */
export interface RawAnswer {
  readonly status: number
  readonly retry: number | undefined
  readonly body: Readonly<Record<string, unknown>>
}

/** hl-relay and the hl-leg that counts its weight, over real NATS and Postgres, and the venue on this machine. */
export interface RelayRig {
  readonly stack: TestStack
  readonly venue: VenueRig
  readonly clock: FakeClock
  readonly context: Context
  /** Client of anybody, through the gateway. */
  readonly anybody: Client
  /** Status, seconds to wait and body of a request through the gateway, unparsed. */
  raw(operation: keyof typeof hlRelay.operations, input: object): Promise<RawAnswer>
  /** Spends weight of hl-leg with the credential of another process. */
  weightAs(who: 'hl-relay' | 'hl-trade', by: WeightClass): Promise<unknown>
  /** Client of hl-trade. */
  readonly trade: Client
  /** Moves the clocks of the service and of the venue. */
  advance(ms: number): void
  /** Requests of a kind that the venue has seen. */
  asked(type: string): number
  /** Weight of all requests that the venue has seen since its clock stands at this minute. */
  weight(): number
  /** Questions for weight that hl-leg has answered. */
  weightQuestions(): number
  /** Sends an order of a wallet's own, as the venue's app does. */
  readonly sendOrder: VenueHands['trade']
  /** Weight that a class has spent in the last minute. */
  spent(of: string): Promise<number>
  /** Spends the weight of every class below closes. */
  spendAll(): Promise<void>
  /** Forgets all spent weight. */
  forgetWeight(): Promise<void>
  /** Ends hl-leg; weight can no longer be asked for. */
  endLeg(): Promise<void>
  stop(): Promise<void>
}

/** Neighbours consume nothing and have no schema here. */
const peerOf = (contract: unknown) => ({ ...(contract as Contract), consumes: [], postgres: false })
const neighbours = [mandates, keeper, gateway, identity, hlTrade].map(peerOf)

/** Starts both services. The weight of a minute is the venue's own unless `environment` sets it. */
export async function startRelayRig(options: { readonly environment?: Environment } = {}): Promise<RelayRig> {
  const log = openLog('hl-relay', 'silent')
  const stack = await testStack([hlLeg as unknown as Contract, hlRelay as unknown as Contract, ...neighbours])
  const venue = await startVenueRig()
  const clock = new FakeClock(START)
  venue.control('time', { now_ms: clock.now().getTime() })
  const environment = {
    HUB_HL_INFO_URL: `${venue.url}/info`,
    HUB_HL_EXCHANGE_URL: `${venue.url}/exchange`,
    HUB_CHAIN_ID: '31337',
    ...options.environment,
  }
  let questions = 0
  const { service: leg } = await startStill(
    hlLeg,
    stack.environmentOf('hl-leg', environment),
    (kit) => {
      const context = createLegContext(kit)
      const answers = counting(bind<LegContext, AnyHandler>(legHandlers, context), () => (questions += 1))
      return { context, handlers: answers, close: () => context.venue.close() }
    },
    { clock, log, watch: () => unwatched },
  )
  const { service: relay, context } = await startStill(
    hlRelay,
    stack.environmentOf('hl-relay', environment),
    (kit) => {
      const made = createContext(kit)
      return { context: made, handlers: bind<Context, AnyHandler>(handlers, made), close: () => made.venue.close() }
    },
    { clock, log, watch: () => unwatched },
  )
  const { superuserUrl } = stack.databaseOf('hl-leg')
  const buses = {
    gateway: await stack.nats.connect('gateway'),
    trade: await stack.nats.connect('hl-trade'),
    relay: await stack.nats.connect('hl-relay'),
  }
  let legRuns = true
  const endLeg = async () => {
    if (legRuns) await leg.stop()
    legRuns = false
  }
  return {
    stack,
    venue,
    clock,
    context,
    anybody: clientOf(buses.gateway, 'gateway', hlRelay),
    raw: async (operation, input) => {
      const call = { id: randomUUID(), by: Date.now() + 600_000 }
      const asked = hlRelay.operations[operation]
      const { head, body } = await callRaw(buses.gateway, 'gateway', asked, JSON.stringify(input), call)
      return { status: head.s, retry: head.retry, body: JSON.parse(body.toString('utf8')) }
    },
    trade: clientOf(buses.trade, 'hl-trade', hlRelay),
    weightAs: (who, by) =>
      clientOf(buses[who === 'hl-trade' ? 'trade' : 'relay'], who, hlLeg).spendVenueWeight({
        egress: 'default',
        class: by,
        weight: 1,
        asked: false,
      }),
    advance: (ms) => {
      clock.advance(ms)
      venue.control('time', { now_ms: clock.now().getTime() })
    },
    asked: (type) => (venue.control('counts') as Record<string, number>)[`info ${type}`] ?? 0,
    weight: () => (venue.control('counts') as Record<string, number>)['weight'] ?? 0,
    weightQuestions: () => questions,
    sendOrder: handsOf(venue, clock).trade,
    spent: (of) => spentOf(superuserUrl, of),
    spendAll: () => spendAll(superuserUrl),
    forgetWeight: () => forgetAll(superuserUrl),
    endLeg,
    stop: async () => {
      for (const bus of Object.values(buses)) await bus.close()
      await relay.stop()
      await endLeg()
      await venue.close()
      await stack.stop()
    },
  }
}

/** Handlers of hl-leg that count the questions for weight. */
const counting = (handlers: Readonly<Record<string, AnyHandler>>, count: () => void) => ({
  ...handlers,
  spendVenueWeight: ((input, call) => {
    count()
    return (handlers['spendVenueWeight'] as AnyHandler)(input, call)
  }) satisfies AnyHandler,
})

const spentOf = (url: string, of: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ spent: number }>(
      `SELECT coalesce(sum(weight), 0)::int AS spent FROM hl_leg.venue_weight
       WHERE class = $1 AND at > clock_timestamp() - interval '1 minute'`,
      [of],
    )
    return rows[0]?.spent ?? 0
  })

const forgetAll = (url: string): Promise<void> =>
  withClient(url, async (client) => void (await client.query('DELETE FROM hl_leg.venue_weight')))

const spendAll = (url: string): Promise<void> =>
  withClient(
    url,
    async (client) =>
      void (await client.query(`
        INSERT INTO hl_leg.venue_weight (egress, class, lent, at, weight)
        SELECT 'default', class, false, date_trunc('second', clock_timestamp()), weight
        FROM (VALUES ('orders', 200), ('worth', 320), ('relays', 200)) AS one (class, weight)`)),
  )
