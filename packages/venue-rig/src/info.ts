import { z } from 'zod'
import { tick } from './clock.ts'
import type { PriceSource } from './follow.ts'
import * as account from './info-account.ts'
import { candlesOf, fundingHistory } from './past.ts'
import { coinOf, dexNamed as dexBy, listed } from './markets.ts'
import { spotMeta } from './spot.ts'
import { type Dex, type Market, num, now, type State, text } from './state.ts'

const request = z.looseObject({ type: z.string() })
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((given) => given.toLowerCase())
const fields = z.looseObject({
  user: address.optional(),
  builder: address.optional(),
  dex: z.string().optional(),
  coin: z.string().optional(),
  oid: z.union([z.int(), z.string()]).optional(),
  startTime: z.int().nullish(),
  endTime: z.int().nullish(),
  reversed: z.boolean().nullish(),
  id: z.int().optional(),
  req: z
    .looseObject({ coin: z.string(), interval: z.string(), startTime: z.int(), endTime: z.int().nullish() })
    .optional(),
})
type Asked = z.output<typeof fields>

/** The question cannot be read; the venue answers 422. */
export class Unreadable extends Error {}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Unreadable()
  return value
}

/** Answers a question from the state; nothing is changed but what time brings. */
export function answerInfo(state: State, body: unknown, source?: PriceSource): unknown {
  const type = request.safeParse(body)
  const asked = fields.safeParse(body)
  if (!type.success || !asked.success) throw new Unreadable()
  const answer = ANSWERS[type.data.type]
  if (answer === undefined) throw new Unreadable()
  tick(state)
  return answer(state, asked.data, source)
}

const dexNamed = (state: State, name = ''): Dex => {
  const dex = dexBy(state, name)
  if (dex === null) throw new Unreadable()
  return dex
}
const span = ({ startTime, endTime }: Asked) => [startTime ?? 0, endTime ?? Infinity] as const

const ANSWERS: Readonly<Record<string, (state: State, asked: Asked, source?: PriceSource) => unknown>> = {
  meta: (state, { dex }) => metaOf(dexNamed(state, dex)),
  metaAndAssetCtxs: (state, { dex }) => [
    metaOf(dexNamed(state, dex)),
    dexNamed(state, dex).markets.map((market) => contextOf(state, dexNamed(state, dex), market)),
  ],
  allPerpMetas: (state) => state.dexes.map(metaOf),
  perpDexs: (state) =>
    state.dexes.map((dex, index) =>
      index === 0
        ? null
        : {
            name: dex.name,
            fullName: dex.fullName,
            deployer: `0x${'d'.repeat(40)}`,
            oracleUpdater: null,
            feeRecipient: `0x${'f'.repeat(40)}`,
            assetToStreamingOiCap: [],
            subDeployers: [],
            deployerFeeScale: '1.0',
            lastDeployerFeeScaleChangeTime: '1970-01-01T00:00:00',
            assetToFundingMultiplier: [],
            assetToFundingInterestRate: [],
          },
    ),
  spotMeta: () => spotMeta,
  spotMetaAndAssetCtxs: () => [spotMeta, []],
  outcomeMeta: () => ({ outcomes: [], questions: [] }),
  exchangeStatus: (state) => ({ time: now(state), specialStatuses: null }),
  allMids: (state, { dex }) =>
    Object.fromEntries(
      dexNamed(state, dex).markets.map((market) => [
        coinOf(dexNamed(state, dex), market),
        midOf(market) ?? market.mark,
      ]),
    ),
  l2Book: (state, { coin }) => bookOf(state, required(coin)),
  clearinghouseState: (state, { user, dex }) => account.clearinghouseState(state, required(user), dex ?? ''),
  spotClearinghouseState: (state, { user }) => account.spotState(state, required(user)),
  activeAssetData: (state, { user, coin }) => account.activeAssetData(state, required(user), required(coin)),
  marginTable: (state, { id }) => tableOf(state, required(id)),
  extraAgents: (state, { user }) => account.extraAgents(state, required(user)),
  userRole: (state, { user }) => account.userRole(state, required(user)),
  userAbstraction: (state, { user }) => state.accounts[required(user)]?.mode ?? 'default',
  userFees: (state, { user }) => account.userFees(state, required(user)),
  userRateLimit: (state, { user }) => account.userRateLimit(state, required(user)),
  maxBuilderFee: (state, { user, builder }) => state.accounts[required(user)]?.builders[required(builder)] ?? 0,
  openOrders: (state, { user, dex }) => account.openOrdersOn(state, required(user), dex ?? '', false),
  frontendOpenOrders: (state, { user, dex }) => account.openOrdersOn(state, required(user), dex ?? '', true),
  orderStatus: (state, { user, oid }) => account.orderStatus(state, required(user), required(oid)),
  historicalOrders: (state, { user }) => account.historicalOrders(state, required(user)),
  userFills: (state, { user }) => account.userFills(state, required(user)),
  userFillsByTime: (state, asked) =>
    account.userFillsByTime(state, required(asked.user), span(asked), asked.reversed === true),
  userFunding: (state, asked) => account.userFunding(state, required(asked.user), ...span(asked)),
  userNonFundingLedgerUpdates: (state, asked) => account.ledgerUpdates(state, required(asked.user), ...span(asked)),
  portfolio: (state, { user }) => account.portfolio(state, required(user)),
  preTransferCheck: (state, { user }) => ({
    fee: '0.0',
    isSanctioned: false,
    userExists: state.accounts[required(user)] !== undefined,
    userHasSentTx: state.nonces[required(user)] !== undefined,
  }),
  fundingHistory: (state, asked, source) =>
    fundingHistory(state, { coin: required(asked.coin), span: span(asked) }, source),
  candleSnapshot: (state, { req }, source) => {
    const candles = candlesOf(state, required(req), source)
    if (candles === null) throw new Unreadable()
    return candles
  },
}

/** Types of all questions that are answered. */
export const QUESTIONS: readonly string[] = Object.keys(ANSWERS)

const metaOf = (dex: Dex) => ({
  universe: dex.markets.map((market) => ({
    szDecimals: market.sizeDecimals,
    name: coinOf(dex, market),
    maxLeverage: market.maxLeverage,
    marginTableId: market.marginTableId,
    ...(market.delisted ? { isDelisted: true } : {}),
    ...(market.marginMode === null ? {} : { onlyIsolated: true, marginMode: market.marginMode }),
  })),
  marginTables: [...new Map(dex.markets.map((market) => [market.marginTableId, tableFor(market)]))],
  collateralToken: 0,
})

const tableFor = ({ maxLeverage, tiers }: Market) => ({
  description: tiers.length === 1 ? '' : `tiered ${maxLeverage}x`,
  marginTiers: tiers,
})

function tableOf(state: State, id: number): unknown {
  const market = state.dexes.flatMap((dex) => dex.markets).find((one) => one.marginTableId === id)
  if (market === undefined) throw new Unreadable()
  return tableFor(market)
}

const midOf = ({ bids, asks }: Market): string | null =>
  bids[0] === undefined || asks[0] === undefined ? null : text(num(bids[0].px).plus(asks[0].px).div(2))

/** Sum of all long positions, those of the house included. */
function openInterestOf(state: State, dex: Dex, market: Market): string {
  const coin = coinOf(dex, market)
  const house = num(state.house.positions[coin] ?? 0)
  return text(
    Object.values(state.accounts).reduce(
      (sum, account) => {
        const size = num(account.dexes[dex.name]?.positions[coin]?.size ?? 0)
        return size.isNegative() ? sum : sum.plus(size)
      },
      house.isNegative() ? num(0) : house,
    ),
  )
}

const contextOf = (state: State, dex: Dex, market: Market) => ({
  funding: market.funding,
  openInterest: openInterestOf(state, dex, market),
  prevDayPx: market.previousDay,
  dayNtlVlm: market.volume,
  dayBaseVlm: text(num(market.volume).div(market.mark), 2),
  premium: '0.0',
  oraclePx: market.oracle,
  markPx: market.mark,
  midPx: midOf(market),
  impactPxs:
    market.bids[0] === undefined || market.asks[0] === undefined ? null : [market.bids[0].px, market.asks[0].px],
})

function bookOf(state: State, coin: string): unknown {
  const at = listed(state, { coin })
  if (at === null) return null
  const side = (levels: Market['bids']) => levels.slice(0, 20).map(({ px, sz }) => ({ px, sz, n: 1 }))
  return { coin, time: now(state), levels: [side(at.market.bids), side(at.market.asks)] }
}
