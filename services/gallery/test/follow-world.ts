import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { refuse, type InputOf } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import type { FollowLeg } from '@svc/contracts/hl-leg/follows'
import type { FollowMandate } from '@svc/contracts/mandates/follows'
import { insufficientCherry } from '@svc/contracts/subscriptions/ledger'
import { exact } from '@svc/hyperliquid/rounding'
import type { FakeClock, PeerAnswers } from '@svc/testing'

/** Account of the house runner, and its key. */
export const RUNNER = 900
export const RUNNER_KEY = `svc_${'7'.repeat(43)}`

/** hl-leg works on a request no longer than this. */
const IN_FLIGHT_MS = 45_000

/** A mandate whose leg is bound, as the neighbours know it. */
export interface Follower {
  readonly id: string
  readonly ownerId: number
  state: FollowMandate['state']
  agentId: number
  legState: FollowLeg['state']
  account: string
  equity: string | null
  openMax: string | null
  markets: string[]
  /** Signed sizes by market. */
  readonly positions: Map<string, string>
}

/** What an order of the API is. */
interface Body {
  readonly market: string
  readonly side: 'buy' | 'sell'
  readonly amount_usdc?: string
  readonly size?: string
  readonly reduce_only: boolean
  readonly not_after: string
}

/** An order that was executed. */
export interface Executed extends Body {
  readonly mandateId: string
  readonly key: string
  readonly filled: string
  readonly price: string
  readonly at: number
}

/**
 * What happens to the next requests: nothing reaches the API, it reaches the API when the test lets it arrive, its answer is lost, or
 * the API answers something else.
 */
export type Fault =
  | { readonly kind: 'lost' | 'late' | 'unanswered' | 'unresolved' }
  | { readonly kind: 'answers'; readonly status: number; readonly body: object }

/** The neighbours of gallery as follows need them, and the public API, whose one key of a mandate is one order. */
export interface FollowWorld {
  readonly url: string
  readonly followers: Map<string, Follower>
  readonly executed: Executed[]
  /** Requests that reached the API, whatever became of them. */
  readonly requests: { readonly key: string; readonly body: string }[]
  readonly faults: Fault[]
  readonly prices: Map<string, string>
  /** Owners without Cherry. */
  readonly poor: Set<number>
  /** Signals paid for, with how often they were charged. */
  readonly paid: Map<string, number>
  /** Lets the requests reach the API that are late, as long as hl-leg may work on a request. */
  arrive(): void
  newFollower(some?: Partial<Follower>): Follower
  answers: { mandates: PeerAnswers; leg: PeerAnswers; relay: PeerAnswers; subscriptions: PeerAnswers }
  close(): Promise<void>
}

/** Starts the world; prices and positions change by what tests and executed orders do. */
export async function startFollowWorld(clock: () => FakeClock): Promise<FollowWorld> {
  const followers = new Map<string, Follower>()
  const prices = new Map([
    ['hl:BTC', '60000'],
    ['hl:ETH', '3000'],
  ])
  const world = {
    followers,
    prices,
    executed: [] as Executed[],
    requests: [] as { key: string; body: string }[],
    faults: [] as Fault[],
    poor: new Set<number>(),
    paid: new Map<string, number>(),
    newFollower: (some: Partial<Follower> = {}) => {
      const n = followers.size + 1
      const follower: Follower = {
        id: `mdt_${n.toString(16).padStart(32, '0')}`,
        ownerId: 10_000 + n,
        state: 'working',
        agentId: RUNNER,
        legState: 'bound',
        account: `0x${n.toString(16).padStart(40, '0')}`,
        equity: '100',
        openMax: '1000',
        markets: ['hl:BTC', 'hl:ETH'],
        positions: new Map(),
        ...some,
      }
      followers.set(follower.id, follower)
      return follower
    },
  }
  const orders = new Map<string, { body: string; executed: Executed | null }>()
  const onWay: { readonly left: number; readonly arrive: () => void }[] = []
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const key = String(Reflect.get(request.headers, 'idempotency-key'))
    if (Reflect.get(request.headers, 'x-svc-user-key') !== RUNNER_KEY)
      return send(response, 401, { code: 'unauthorized' })
    const fault = world.faults.shift()
    if (fault?.kind === 'lost') return void response.destroy()
    const mandateId = /mandates\/(mdt_[0-9a-f]+)\/hl-order/.exec(request.url ?? '')?.[1] ?? ''
    if (fault?.kind === 'late') {
      onWay.push({ left: clock().now().getTime(), arrive: () => void place(mandateId, key, body) })
      return void response.destroy()
    }
    // Of a key that has an order the API refuses nothing but what lies before it, such as the credential.
    const refusal =
      fault?.kind === 'answers' && (fault.status !== 409 || !orders.has(`${mandateId} ${key}`)) ? fault : null
    if (refusal !== null) return send(response, refusal.status, refusal.body)
    world.requests.push({ key, body })
    const { status, body: answered } = place(mandateId, key, body)
    if (fault?.kind === 'unanswered') return void response.destroy()
    if (fault?.kind === 'unresolved') return send(response, 202, { code: 'order_unresolved', cloid: '0x1' })
    send(response, status, answered)
  }
  const place = (mandateId: string, key: string, sent: string) => {
    const known = orders.get(`${mandateId} ${key}`)
    if (known !== undefined && known.body !== sent) return { status: 422, body: { code: 'idempotency_mismatch' } }
    if (known !== undefined) return { status: 200, body: orderView(known.executed) }
    const body = JSON.parse(sent) as Body
    if (clock().now().getTime() > Date.parse(body.not_after)) return { status: 409, body: { code: 'order_expired' } }
    const executed = execute(followers.get(mandateId), prices, body)
    const one = executed === null ? null : { ...body, mandateId, key, ...executed, at: clock().now().getTime() }
    orders.set(`${mandateId} ${key}`, { body: sent, executed: one })
    if (one !== null) world.executed.push(one)
    return { status: 200, body: orderView(one) }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...world,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers: answersOf(world, orders),
    arrive: () => {
      const now = clock().now().getTime()
      for (const { left, arrive } of onWay.splice(0)) if (now - left <= IN_FLIGHT_MS) arrive()
    },
    close: () => closeServer(server),
  }
}

const send = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const orderView = (one: Executed | null) => ({
  ok: true,
  order:
    one === null
      ? { status: 'missed', filled_size: '0', average_price: null }
      : { status: 'filled', filled_size: one.filled, average_price: one.price },
})

/** Fills an order 10 basis points beside the price, as far as a reduce-only one has something to reduce. */
function execute(follower: Follower | undefined, prices: Map<string, string>, body: Body) {
  const mark = prices.get(body.market)
  if (follower === undefined || mark === undefined) return null
  const price = exact(mark).times(body.side === 'buy' ? '1.001' : '0.999')
  const wanted =
    body.size === undefined
      ? exact(body.amount_usdc ?? 0)
          .div(price)
          .toDecimalPlaces(5)
      : exact(body.size)
  const held = exact(follower.positions.get(body.market) ?? 0)
  const size = body.reduce_only && wanted.gt(held.abs()) ? held.abs() : wanted
  if (size.isZero()) return null
  const after = held.plus(body.side === 'buy' ? size : size.negated())
  if (after.isZero()) follower.positions.delete(body.market)
  else follower.positions.set(body.market, after.toFixed())
  return { filled: size.toFixed(), price: price.toFixed() }
}

type World = Pick<FollowWorld, 'followers' | 'prices' | 'poor' | 'paid'>
type FollowOrderInput = InputOf<typeof hlLeg.operations.readFollowOrder>

function answersOf(
  world: World,
  orders: Map<string, { executed: Executed | null }>,
): { mandates: PeerAnswers; leg: PeerAnswers; relay: PeerAnswers; subscriptions: PeerAnswers } {
  const known = (ids: readonly string[]) => ids.flatMap((id) => world.followers.get(id) ?? [])
  const holds = new Map<string, { readonly name: string; readonly resources: readonly string[]; ended: boolean }>()
  return {
    mandates: {
      readFollowMandates: ({ public_ids }: { public_ids: string[] }) => ({
        mandates: known(public_ids).map(mandateView),
      }),
    },
    leg: {
      readFollowLegs: ({ public_ids }: { public_ids: string[] }) => ({
        legs: known(public_ids)
          .filter(({ legState }) => legState !== 'none')
          .map((one) => legView(one, world.prices)),
      }),
      readFollowOrder: ({ public_id, idempotency_key }: FollowOrderInput) => {
        const order = orders.get(`${public_id} ${idempotency_key}`)
        if (order === undefined) return { order: null }
        const { executed } = order
        return {
          order: {
            state: executed === null ? 'missed' : 'filled',
            filled_size: executed?.filled ?? '0',
            average_price: executed?.price ?? null,
          },
        }
      },
    },
    relay: {
      readVenueMarkets: ({ coins }: { coins: string[] }) => ({
        items: coins.flatMap((coin) => marketView(coin, world.prices.get(`hl:${coin}`))),
      }),
      readVenueBook: ({ coin }: { coin: string }) => bookOf(coin, world.prices.get(`hl:${coin}`) ?? '1'),
    },
    subscriptions: {
      placeHold: ({
        account_id,
        key,
        items,
      }: {
        account_id: number
        key: string
        items: { resource: string; price: number }[]
      }) => {
        const due = items.filter(({ resource }) => !world.paid.has(`${account_id} ${resource}`))
        const views = items.map((one) => ({ resource: one.resource, status: due.includes(one) ? 'due' : 'paid' }))
        if (due.length === 0) return { hold: null, due: 0, captured: 0, items: views }
        if (world.poor.has(account_id)) refuse(insufficientCherry, undefined, { balance: 0, needed: 1 } as never)
        // An open hold is answered again, as subscriptions does.
        const name = `${account_id} ${key}`
        const known = [...holds].find(([, hold]) => hold.name === name && !hold.ended)
        const hold_id = known?.[0] ?? `hld_${String(holds.size).padStart(20, '0')}`
        if (known === undefined)
          holds.set(hold_id, { name, resources: due.map(({ resource }) => `${account_id} ${resource}`), ended: false })
        const amount = due.reduce((sum, { price }) => sum + price, 0)
        return {
          hold: { hold_id, amount, expires_at: '2026-11-23T16:00:00.000Z' },
          due: amount,
          captured: 0,
          items: views,
        }
      },
      readPaid: ({ account_ids, resources }: { account_ids: number[]; resources: string[] }) => ({
        resources: resources.filter((one) => account_ids.some((id) => world.paid.has(`${id} ${one}`))),
      }),
      captureHold: ({ hold_id, resources }: { hold_id: string; resources: string[] }) => {
        const hold = holds.get(hold_id)
        for (const one of hold?.ended === false ? hold.resources : []) {
          const charged = world.paid.get(one) ?? 0
          world.paid.set(one, charged + 1)
        }
        if (hold !== undefined) hold.ended = true
        return { hold_id, state: 'captured', captured: 1, released: 0, resources }
      },
    },
  }
}

const mandateView = (one: Follower): FollowMandate => ({
  public_id: one.id,
  state: one.state,
  owner_id: one.ownerId,
  agent_id: one.agentId,
  markets: one.markets,
  budget_usdc: '100',
  per_tx_cap_usdc: '100',
  daily_cap_usdc: '200',
  stop_line_usdc: '40',
  fee_bps: 1_000,
  approval_above_usdc: null,
  open_max_usdc: one.state === 'working' ? one.openMax : null,
  may_close: one.state === 'working',
})

const legView = (one: Follower, prices: Map<string, string>): FollowLeg => ({
  public_id: one.id,
  state: one.legState,
  network: 'testnet',
  owner_address: one.account,
  read_at: null,
  value_usdc: one.equity,
  equity_usdc: one.equity,
  funded: true,
  positions: [...one.positions].map(([market, size]) => ({ market, size, mark_price: prices.get(market) ?? '1' })),
})

const marketView = (coin: string, mark: string | undefined) =>
  mark === undefined
    ? []
    : [
        {
          market_id: `hl:${coin}`,
          coin,
          dex: '',
          asset: 0,
          title: coin,
          size_decimals: 5,
          max_leverage: 40,
          listed: true,
          only_isolated: false,
          mark_price: mark,
          oracle_price: mark,
          mid_price: mark,
          prev_day_price: mark,
          funding_hourly: '0.0001',
          volume_24h_usd: '1',
          open_interest_usd: '1',
          read_at: '2026-11-23T15:00:00.000Z',
        },
      ]

const bookOf = (coin: string, mark: string) => ({
  coin,
  at: '2026-11-23T15:00:00.000Z',
  bids: [{ price: exact(mark).times('0.999').toFixed(), size: '1000' }],
  asks: [{ price: exact(mark).times('1.001').toFixed(), size: '1000' }],
})

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })
