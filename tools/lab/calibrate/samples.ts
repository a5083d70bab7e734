import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assetOfTicker, currentLists, regulatedBreadth } from '@svc/market-data/assets/rules/regulated-venues'
import { rankDelistingRisk } from '@svc/market-data/board/rules/delisting-risk'
import type { RiskInputs, RiskSubject } from '@svc/market-data/board/rules/delisting-risk-model'
import { tradeFeatures } from '@svc/market-data/markets/rules/trade-features'
import { z } from 'zod'
import { PAST_LIST_AGE_MAX_MS, readDatedLists, regulatedListsOf, spotBasesBefore } from './market-lists.ts'
import { isLeveraged, minuteIndex, readKlines, type Klines } from '../recordings/klines.ts'

const dayMs = 86_400_000

/** One token of a sample: what was known at the snapshot and what happened later. */
export interface SampleToken {
  readonly base: string
  readonly inputs: RiskInputs
  /** Further features that the score does not use, larger is riskier; compared in the calibration page. */
  readonly unused: Readonly<Record<string, number>>
  /** The shipped score. */
  readonly score: number
  /** The score without the breadth over regulated venues, as `delisting-rank-2` had it. */
  readonly scoreWithoutBreadth: number
  /** Whether a list from before the snapshot has the asset at the spot venue, from which it can be delisted. */
  readonly spotListed: boolean
  /** Days from the snapshot to the announcement of its delisting; null when none is recorded. */
  readonly daysToAnnouncement: number | null
}

export interface Sample {
  /** Name of the sample in the API. */
  readonly id: string
  readonly title: string
  readonly snapshotMs: number
  /** Days from the snapshot to the last recorded announcement. */
  readonly horizonDays: number
  /** Lists of regulated venues that count in it: recorded before the snapshot. */
  readonly lists: readonly { readonly venue: string; readonly ageDays: number; readonly assets: number }[]
  readonly tokens: readonly SampleToken[]
}

interface Announcements {
  readonly lastMs: number
  firstAfter(base: string, ms: number): number | null
  anyBefore(base: string, ms: number): boolean
}

function readAnnouncements(replayDir: string): Announcements {
  const text = readFileSync(join(replayDir, 'delistings/binance_spot_delistings.tsv'), 'utf8')
  const rows = text
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split('\t'))
    .map(([, announced = '', , , base = '']) => ({ base, ms: Number(announced) }))
    .toSorted((a, b) => a.ms - b.ms)
  return {
    lastMs: rows.at(-1)?.ms ?? 0,
    firstAfter: (base, ms) => rows.find((row) => row.base === base && row.ms > ms)?.ms ?? null,
    anyBefore: (base, ms) => rows.some((row) => row.base === base && row.ms <= ms),
  }
}

const unknown: RiskInputs = {
  volume_24h_usd: null,
  zero_trade_share: null,
  amihud: null,
  depth_2pct_usd: null,
  spread_bps: null,
  quote_markets: null,
  regulated_venues: null,
}

type Unscored = Pick<SampleToken, 'base' | 'inputs' | 'unused' | 'spotListed'>

function sample(
  { id, title, snapshotMs }: Pick<Sample, 'id' | 'title' | 'snapshotMs'>,
  announcements: Announcements,
  tokens: readonly Unscored[],
): Sample {
  const lists = regulatedListsOf(readDatedLists())
  const breadth = regulatedBreadth(lists, snapshotMs, PAST_LIST_AGE_MAX_MS)
  const inputsOf = ({ base, inputs }: Unscored): RiskInputs => ({ ...inputs, regulated_venues: breadth(base) })
  const rank = (of: (token: Unscored) => RiskInputs) =>
    rankDelistingRisk(
      tokens.map((token): RiskSubject => ({ id: token.base, group: title, inputs: of(token), floors: [] })),
    )
  const [scores, without] = [rank(inputsOf), rank(({ inputs }) => inputs)]
  return {
    id,
    title,
    snapshotMs,
    horizonDays: (announcements.lastMs - snapshotMs) / dayMs,
    lists: currentLists(lists, snapshotMs, PAST_LIST_AGE_MAX_MS).map(({ venue, readAt, bases }) => ({
      venue,
      ageDays: (snapshotMs - readAt) / dayMs,
      assets: bases.size,
    })),
    tokens: tokens.map((token, index) => {
      const announced = announcements.firstAfter(token.base, snapshotMs)
      return {
        ...token,
        inputs: inputsOf(token),
        score: scores[index]?.score ?? NaN,
        scoreWithoutBreadth: without[index]?.score ?? NaN,
        daysToAnnouncement: announced === null ? null : (announced - snapshotMs) / dayMs,
      }
    }),
  }
}

const quotes = new Set(
  'USDT BUSD BTC ETH BNB EUR TRY USDC TUSD GBP AUD RUB BRL UAH NGN BIDR IDRT DAI VAI TRX XRP DOGE DOT ZAR PLN RON USDP'.split(
    ' ',
  ),
)

const storedRows = z.array(
  z.object({
    base: z.string(),
    qv: z.number(),
    zero: z.number(),
    amihud: z.number(),
    volcv: z.number(),
    roll: z.number(),
    rv: z.number(),
    dd: z.number(),
    ar1: z.number(),
    cs5: z.number(),
  }),
)
type StoredRow = z.output<typeof storedRows>[number]

const readRows = (replayDir: string, name: string): StoredRow[] =>
  storedRows.parse(JSON.parse(readFileSync(join(replayDir, `derived/features_binance_${name}.json`), 'utf8')))

/** Names the estimates from candles that the score leaves out. */
const candleEstimates = ({ volcv, roll, rv, dd, ar1, cs5 }: StoredRow): Record<string, number> => ({
  burstiness: volcv,
  'Roll spread': roll,
  'realised volatility': rv,
  drawdown: dd,
  'Abdi–Ranaldo spread, 1 min': ar1,
  'Corwin–Schultz spread, 5 min': cs5,
})

/** Reads Binance spot against USDT, 2022-11-08 22:31 to 11-09 15:11 UTC; features from the product's own functions. */
export function spotSample2022(replayDir: string): Sample {
  const klines = readKlines(replayDir, 'all')
  const usdt = klines.filter(({ symbol }) => symbol.endsWith('USDT') && !isLeveraged(symbol))
  const bitcoin = klines.find(({ symbol }) => symbol === 'BTCUSDT')
  if (!bitcoin) throw new Error('the recording holds no BTCUSDT')
  const stored = new Map(readRows(replayDir, 'spot_usdt_20221109').map((row) => [row.base, row]))
  const tokens = usdt.map((market): Unscored => {
    const base = market.symbol.slice(0, -'USDT'.length)
    const features = tradeFeatures(
      market.trades.map((trades, minute) => ({
        close: market.close[minute] ?? 0,
        quoteVolumeUsd: market.quoteVolume[minute] ?? 0,
        trades,
      })),
    )
    const estimates = stored.get(base)
    return {
      base,
      inputs: {
        ...unknown,
        volume_24h_usd: features?.volumeUsd ?? null,
        zero_trade_share: features?.zeroTradeShare ?? null,
        amihud: features?.amihudBpsPerThousandUsd ?? null,
        quote_markets: klines.filter(({ symbol }) => symbol.startsWith(base) && quotes.has(symbol.slice(base.length)))
          .length,
      },
      unused: { ...(estimates ? candleEstimates(estimates) : {}), ...unusedFeatures(market, bitcoin) },
      spotListed: true,
    }
  })
  const snapshotMs = Date.parse('2022-11-09T15:11:00Z')
  const head = { id: 'binance_spot_2022_11', title: 'Binance spot, USDT, 2022-11-09', snapshotMs }
  return sample(head, readAnnouncements(replayDir), tokens)
}

function unusedFeatures(market: Klines, bitcoin: Klines): Record<string, number> {
  const volume = market.quoteVolume.reduce((a, b) => a + b, 0)
  const mean = volume / market.quoteVolume.length
  const variance = market.quoteVolume.reduce((sum, q) => sum + (q - mean) ** 2, 0) / market.quoteVolume.length
  const imbalance = market.quoteVolume.reduce(
    (sum, q, minute) => sum + Math.abs(2 * (market.takerBuyQuoteVolume[minute] ?? 0) - q),
    0,
  )
  return {
    burstiness: Math.sqrt(variance) / mean,
    'small trades':
      -volume /
      Math.max(
        1,
        market.trades.reduce((a, b) => a + b, 0),
      ),
    'one-sided minutes': imbalance / Math.max(volume, 1),
    'moves apart from bitcoin':
      1 - squaredCorrelation(tenMinuteReturns(market, market), tenMinuteReturns(bitcoin, market)),
  }
}

function tenMinuteReturns(of: Klines, minutesOf: Klines): number[] {
  const offset = minuteIndex(of, minutesOf.startMs)
  return Array.from({ length: Math.floor((minutesOf.close.length - 1) / 10) }, (_, step) => {
    const [before, after] = [of.close[offset + step * 10], of.close[offset + step * 10 + 10]]
    return before && after ? Math.log(after / before) : 0
  })
}

function squaredCorrelation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanA, meanB] = [mean(a), mean(b)]
  let [covariance, varianceA, varianceB] = [0, 0, 0]
  for (const [index, value] of a.entries()) {
    const other = (b[index] ?? 0) - meanB
    covariance += (value - meanA) * other
    varianceA += (value - meanA) ** 2
    varianceB += other ** 2
  }
  return varianceA * varianceB === 0 ? 0 : covariance ** 2 / (varianceA * varianceB)
}

/**
 * Reads the Binance USDT perpetuals that traded 2025-06-17 to 06-23; the label is the spot delisting of the same base. Leaves
 * out what is not at risk any more: contracts that stood still, and tokens that were announced before.
 */
export function perpSample2025(replayDir: string): Sample {
  const rows = readRows(replayDir, 'perp_usdt_202506')
  const announcements = readAnnouncements(replayDir)
  const snapshotMs = Date.parse('2025-06-24T00:00:00Z')
  const spot = new Set([...(spotBasesBefore(readDatedLists(), snapshotMs) ?? [])].map(assetOfTicker))
  const tokens = rows
    .filter(({ base, qv }) => qv > 0 && !announcements.anyBefore(base, snapshotMs))
    .map((row): Unscored => ({
      base: row.base,
      inputs: { ...unknown, volume_24h_usd: row.qv, zero_trade_share: row.zero, amihud: row.amihud },
      unused: candleEstimates(row),
      spotListed: spot.has(assetOfTicker(row.base)),
    }))
  const head = { id: 'binance_perp_2025_06', title: 'Binance perpetuals, USDT, 2025-06', snapshotMs }
  return sample(head, announcements, tokens)
}
