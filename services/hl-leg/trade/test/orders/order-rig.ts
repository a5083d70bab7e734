import type { VenueMarketView } from '@svc/contracts/hl-relay/markets'
import type { KeySignature, PreparedOrder } from '@svc/contracts/hl-trade/order-schemas'
import { approveAgent, orderToSign, type IocOrder } from '@svc/hyperliquid'
import { sql } from '@svc/postgres'
import type { CallOptions } from '@svc/service'
import type { VenueRig } from '@svc/venue-rig'
import type { PrivateKeyAccount } from 'viem/accounts'
import { z } from 'zod'
import { storeTerminalCap } from '#orders/store/caps.ts'
import { resolveTrades } from '#orders/jobs/resolve-trades.ts'
import { agent, owner, ownerWallet, signTypedData, startTradeRig, walletOf, type TradeRig } from '../rig.ts'

/** An owner with an account at the venue, and a paired agent. */
export interface Trader {
  readonly id: number
  readonly agentId: number
  /** Lower case. */
  readonly account: string
  /** Key in the browser. */
  readonly webKey: PrivateKeyAccount
}

type VenueAccount = TradeRig['venue']['state']['accounts'][string]

/** What is linked and approved. */
interface Having {
  readonly usdc?: string
  readonly linked?: boolean
  readonly orderKey?: boolean
  readonly builderFee?: boolean
  readonly webKey?: boolean
}

/** The rig with traders, and with markets and books that the relay reads from the venue of the rig. */
export async function startOrderRig(environment: Record<string, string> = {}) {
  const rig = await startTradeRig({ environment: { SVC_VENUE_EGRESS: 'trade-test', ...environment } })
  Object.assign(rig.peers.relay.answers, answerAsRelay(rig.venue))
  const mandates = new Map<string, { public_id: string; state: string; per_tx_cap_usdc: string; markets: string[] }[]>()
  rig.peers.mandates.answers['listAgentMandates'] = ({
    owner_id,
    agent_id,
  }: {
    owner_id: number
    agent_id: number
  }) => ({
    mandates: mandates.get(`${owner_id} ${agent_id}`) ?? [],
  })
  let made = 0
  const trader = async (having: Having = {}): Promise<Trader> => {
    made += 1
    const id = 500 + made
    const one = {
      id,
      agentId: 5_000 + made,
      account: ownerWallet(id).address.toLowerCase(),
      webKey: walletOf(80_000 + made),
    }
    rig.pairs.set(one.agentId, id)
    rig.fund(id, having.usdc ?? '1000')
    if (having.linked ?? true) await link(rig, one, having)
    return one
  }
  const extra = {
    mandates,
    trader,
    accountOf: ({ account }: Trader) => rig.venue.state.accounts[account] as VenueAccount,
    positionOf: ({ account }: Trader, coin = 'BTC') =>
      rig.venue.state.accounts[account]?.dexes[coin.includes(':') ? (coin.split(':')[0] ?? '') : '']?.positions[coin]
        ?.size ?? '0',
    /** Sets the caps of the terminal. */
    setCap: ({ id }: Trader, perOrderUsdc: string, dailyUsdc: string) =>
      storeTerminalCap(rig.pool, id, { perOrderUsdc, dailyUsdc }, rig.clock.now()),
    walletOfTrader: ({ id }: Trader) => ownerWallet(id),
    resolve: () => resolveTrades(rig.context)(AbortSignal.timeout(600_000)),
    statesOf: ({ id }: Trader) => statesOf(rig, id),
    /** Signs a prepared order with the key in the browser and posts it, as a page does. */
    postSigned: (one: Trader, prepared: PreparedOrder) => postSigned(rig, one, prepared),
    /** Signs a prepared order with the key in the browser. */
    signatureOf: (one: Trader, prepared: PreparedOrder) => signatureOf(one, prepared),
    /** Signs any order with the key in the browser and posts it. */
    postOther: (one: Trader, order: IocOrder) => postOther(rig, one, order),
    setMark: (price: string, coin = 'BTC') => rig.venue.control('mark', { coin, price }),
    fault: (kind: string, more: object = {}) =>
      rig.venue.control('fault', { kind, endpoint: 'exchange', type: 'order', ...more }),
    sent: () => Number((rig.venue.control('counts') as Record<string, number>)['exchange order'] ?? 0),
    /** Puts the venue back as it was. */
    heal: () => {
      rig.venue.control('clear-faults')
      rig.venue.control('time', { skew_ms: 0, now_ms: rig.clock.now().getTime() })
      rig.venue.control('mark', { coin: 'BTC', price: '60000' })
      rig.venue.control('book', { coin: 'BTC', policy: 'refill', ladder: { size: '2', levels: 20 } })
    },
  }
  // The rig has members that are read at each use, so it is not copied.
  return Object.defineProperties(rig, Object.getOwnPropertyDescriptors(extra)) as TradeRig & typeof extra
}

const keyed = (key: string | undefined): CallOptions => (key === undefined ? {} : { idempotencyKey: key })
export const asOwner = (rig: TradeRig, { id }: Trader, key?: string) => rig.as(owner(id), keyed(key))
export const asAgent = (rig: TradeRig, { agentId }: Trader, key?: string) => rig.as(agent(agentId), keyed(key))

async function link(rig: TradeRig, { id, webKey }: Trader, having: Having): Promise<void> {
  const as = rig.as(owner(id))
  const wallet = ownerWallet(id)
  const { message } = await as.challengeLink({ wallet_address: wallet.address })
  const { approvals } = await as.linkOwnAccount({ signature: await wallet.signMessage({ message }) })
  const wanted = [
    having.orderKey === false ? null : approvals.order_key,
    having.builderFee === false ? null : approvals.builder_fee,
  ]
  for (const offer of wanted)
    if (offer !== null)
      await as.relayApproval({ signature: await signTypedData(wallet, offer.typed_data), nonce: offer.nonce })
  await as.verifyApprovals({})
  if (having.webKey !== true) return
  // The nonces of the approvals before it are the times of this moment.
  rig.advance(1_000)
  const nowMs = rig.clock.now().getTime()
  const web = { address: webKey.address, name: 'svc-web', validUntilMs: nowMs + 86_400_000 }
  await rig.act(wallet, approveAgent(rig.scope(), web))
}

type ToSign = Pick<PreparedOrder, 'action' | 'nonce' | 'expires_after'> & { readonly typed_data: object | null }

async function signatureOf({ webKey }: Trader, { typed_data }: Pick<ToSign, 'typed_data'>): Promise<KeySignature> {
  if (typed_data === null) throw new Error('nothing to sign')
  const hex = await signTypedData(webKey, typed_data)
  return { r: hex.slice(0, 66), s: `0x${hex.slice(66, 130)}`, v: hex.endsWith('1b') ? 27 : 28 }
}

async function postSigned(rig: TradeRig, one: Trader, prepared: ToSign): Promise<unknown> {
  const { action, nonce, expires_after } = prepared
  const signature = await signatureOf(one, prepared)
  return rig.post('exchange', { action, nonce, signature, expiresAfter: expires_after })
}

function postOther(rig: TradeRig, one: Trader, order: IocOrder): Promise<unknown> {
  const { nonce } = rig.scope()
  const scope = { network: 'testnet', builder: null, nonce, expiresAfter: nonce + 60_000 } as const
  const { typedData: typed_data, action, expiresAfter: expires_after } = orderToSign(order, scope)
  return postSigned(rig, one, { typed_data, action, nonce, expires_after })
}

const statesOf = (rig: TradeRig, ownerId: number) =>
  rig.pool.any(sql.type(z.object({ state: z.string(), filled_size: z.string(), violation: z.boolean() }))`
    SELECT state, filled_size, violation FROM trade_order WHERE owner_id = ${ownerId} ORDER BY id`)

/** hl-relay as hl-trade needs it, with what the venue of the rig has now. */
function answerAsRelay(venue: VenueRig): TradeRig['peers']['relay']['answers'] {
  const now = () => new Date(venue.state.nowMs).toISOString()
  const markets = (): VenueMarketView[] =>
    venue.state.dexes.flatMap((dex, place) =>
      dex.markets.map((market, index) => {
        const coin = dex.name === '' ? market.name : `${dex.name}:${market.name}`
        return {
          market_id: `hl:${coin}`,
          coin,
          dex: dex.name,
          asset: place === 0 ? index : 100_000 + place * 10_000 + index,
          title: market.name,
          size_decimals: market.sizeDecimals,
          max_leverage: market.maxLeverage,
          listed: !market.delisted,
          only_isolated: false,
          mark_price: market.mark,
          oracle_price: market.oracle,
          mid_price: null,
          prev_day_price: market.previousDay,
          funding_hourly: market.funding,
          volume_24h_usd: market.volume,
          open_interest_usd: '0',
          read_at: now(),
        }
      }),
    )
  return {
    readVenueMarkets: ({ coins }: { coins: string[] }) => ({
      items: markets().filter(({ coin }) => coins.includes(coin)),
    }),
    readVenueBook: ({ coin }: { coin: string }) => {
      const [name, dex] = coin.includes(':') ? [coin.split(':')[1], coin.split(':')[0]] : [coin, '']
      const market = venue.state.dexes.find((one) => one.name === dex)?.markets.find((one) => one.name === name)
      const levels = (side: readonly { px: string; sz: string }[]) =>
        side.map(({ px, sz }) => ({ price: px, size: sz }))
      return { coin, at: now(), bids: levels(market?.bids ?? []), asks: levels(market?.asks ?? []) }
    },
  }
}
