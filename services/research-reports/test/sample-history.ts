import type { DelistingWorth } from '@svc/contracts/market-data/delisting-worth'
import { MEMORY_DAYS, type NotJudgedReason, type OpenAlert } from '@svc/contracts/market-data/crisis'
import type { HistoryBucket, TargetHistory } from '@svc/contracts/market-data/research'
import { medianIntervalRank } from '../src/research/rules/order-statistics.ts'
import type { OnchainRead } from '../src/research/rules/onchain.ts'

const BUCKET_MS = 7_200_000
const HOUR_MS = 3_600_000

const WORTH: DelistingWorth = {
  model_version: 'delisting-rank-4',
  rank: 60,
  samples: [
    {
      id: 'binance_spot_2022_11',
      title: 'Binance spot, USDT, 2022-11-09',
      snapshot: '2022-11-09',
      n: 326,
      delisted: 104,
    },
    {
      id: 'binance_perp_2025_06',
      title: 'Binance perpetuals, USDT, 2025-06',
      snapshot: '2025-06-24',
      n: 305,
      delisted: 40,
    },
  ],
  bands: [
    {
      from_score: 60,
      to_score: 69,
      rates: [
        { sample: 'binance_spot_2022_11', days: 90, n: 33, delisted: 0, low: 0, high: 0.1043 },
        { sample: 'binance_spot_2022_11', days: 365, n: 33, delisted: 1, low: 0.0054, high: 0.1532 },
        { sample: 'binance_perp_2025_06', days: 365, n: 33, delisted: 6, low: 0.0861, high: 0.3439 },
      ],
    },
  ],
  at_risk: [],
}
const OTHERS = ['gate', 'kucoin', 'mexc', 'upbit', 'bybit', 'okx', 'bitget', 'htx'] as const

export interface Sample {
  readonly exchange?: string
  readonly symbol?: string
  /** Whole buckets before the open one. */
  readonly buckets?: number
  /** Scans of the open bucket. */
  readonly openScans?: number
  readonly coverage?: number
  readonly board?: boolean
  readonly lifecycle?: TargetHistory['lifecycle']
  readonly bursts?: number
  readonly captures?: number
  readonly to?: string
  /** Hours that were read from the venue. */
  readonly hours?: number
  /** Closed alerts. */
  readonly past?: number
  /** Listings at other venues. */
  readonly venues?: number
  readonly flags?: readonly string[]
  readonly notices?: TargetHistory['notices']
  /** Whether books ended before the band. */
  readonly cut?: boolean
  /** Rules of the open crises; null when nobody knows of any. */
  readonly alerts?: readonly OpenAlert['rule'][] | null
  /** Rules that cannot be judged, with their reasons. */
  readonly notJudged?: readonly (readonly [rule: OpenAlert['rule'], reason: NotJudgedReason])[]
  /** When the pair was first observed. */
  readonly watchedSince?: string
  readonly contract?: TargetHistory['contract']
  readonly onchain?: OnchainRead
}

/** A history as market-data answers it, made from a seed: the same sample is the same history. */
export function sampleHistory(sample: Sample = {}): TargetHistory {
  const { exchange = 'binance', symbol = 'FTT/USDT', buckets = 252, openScans = 37, coverage = 0.991 } = sample
  const to = Date.parse(sample.to ?? '2026-11-21T08:37:00.000Z')
  let state = 7
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
  const openStart = Math.floor(to / BUCKET_MS) * BUCKET_MS
  const rows: HistoryBucket[] = []
  let close = 22.4
  for (let place = buckets; place >= 0; place -= 1) {
    const expected = place === 0 ? openScans : 120
    if (expected === 0) continue
    const ok = Math.round(expected * coverage)
    const open = close
    const stress = place < 30 ? (30 - place) / 8 : 0
    close = Math.max(0.01, open * (1 + (random() - 0.5 - stress * 0.03) * 0.05))
    const spread = (11 + random() * 6) * (1 + stress)
    const depth = (150_000 + random() * 60_000) / (1 + stress)
    const rank = medianIntervalRank(ok)
    const known = ok > 0
    rows.push({
      start: new Date(openStart - place * BUCKET_MS).toISOString(),
      expected,
      ok,
      spread_bps: known ? spread : null,
      spread_low_bps: rank === null ? null : spread * 0.93,
      spread_high_bps: rank === null ? null : spread * 1.08,
      spread_p95_bps: known ? spread * 1.9 : null,
      depth_2pct_usd: known ? depth : null,
      depth_is_lower_bound: sample.cut ?? false,
      depth_low_usd: rank === null ? null : depth * 0.94,
      depth_high_usd: rank === null ? null : depth * 1.05,
      depth_p5_usd: known ? depth * 0.55 : null,
      cost_1k_bps: known ? spread * 0.6 : null,
      cost_10k_bps: known ? spread * 1.4 : null,
      imbalance: known ? random() - 0.5 : null,
      volume_usd: known ? 400_000 * (0.5 + random()) * (1 + stress) : null,
      volume_minutes: ok,
      volume_coverage: expected === 0 ? null : ok / expected,
      trades: known ? Math.round(900 * random()) : null,
      zero_trade_share: known ? 0.02 : null,
      open: known ? open : null,
      high: known ? Math.max(open, close) * 1.006 : null,
      low: known ? Math.min(open, close) * 0.994 : null,
      close: known ? close : null,
      vwap: known ? (open + close) / 2 : null,
      volatility_bps: known ? 60 + random() * 50 : null,
      amihud: known ? 0.4 : null,
    })
  }
  const expected = rows.reduce((sum, row) => sum + row.expected, 0)
  const ok = rows.reduce((sum, row) => sum + row.ok, 0)
  const [base = '', quote = ''] = symbol.split('/')
  const pair = { token_id: `${exchange}_${base}_${quote}`.toLowerCase(), exchange, symbol, base, quote, name: null }
  const at = new Date(to).toISOString()
  const past = Array.from({ length: sample.past ?? 2 }, (_, place) => ({
    episode_id: `cri_${100 + place}`,
    rule: (['crash', 'spread_blowout', 'liquidity_withdrawal'] as const)[place % 3] ?? 'crash',
    severity: 1 + (place % 3),
    opened_at: new Date(to - (place * 9 + 4) * 86_400_000).toISOString(),
    closed_at: new Date(to - (place * 9 + 4) * 86_400_000 + 5_400_000).toISOString(),
    closed_as: (['recovered', 'unknown', 'ended'] as const)[place % 3] ?? 'recovered',
    text: {
      en: `${symbol} on ${exchange} fell 14.8 % more than its market within an hour.`,
      ko: `${exchange} ${symbol}: 한 시간 동안 시장보다 14.8 % 더 하락했습니다.`,
    },
  }))
  const from = new Date(openStart - buckets * BUCKET_MS).toISOString()
  const hourStart = Math.floor(to / HOUR_MS) * HOUR_MS
  const hours = Array.from({ length: sample.hours ?? 170 }, (_, place, all = sample.hours ?? 170) => {
    const start = hourStart - (all - place) * HOUR_MS
    const seen = rows.find((row) => Math.floor(start / BUCKET_MS) * BUCKET_MS === Date.parse(row.start))?.close
    const price = (seen ?? close * (1 + 0.03 * Math.sin(place / 9))) * (1 + (random() - 0.5) * 0.01)
    const observed = place >= all - 26
    return {
      start: new Date(hourStart - (all - place) * HOUR_MS).toISOString(),
      high: price * 1.004,
      low: price * 0.995,
      close: price,
      volume_usd: 200_000 * (0.5 + random()),
      spread_bps: observed ? 30 + random() * 8 : null,
      depth_2pct_usd: place >= all - 3 ? 58_000 + random() * 6_000 : null,
      depth_is_lower_bound: sample.cut ?? false,
    }
  })
  const components = [
    ['spread', 34.2, 'bps', 'C+', 2.3, 0.2, 22],
    ['depth', 61_400, 'usd', 'B-', 2.7, 0.3, 31],
    ['volume', 4_830_000, 'usd', 'B', 3, 0.3, 64],
    ['stability', 0.83, 'share', 'B', 3, 0.2, 47],
  ] as const
  return {
    pair,
    lifecycle: sample.lifecycle ?? 'at_risk',
    source: 'replay',
    target: { added_at: from, status: 'active' },
    from,
    to: at,
    buckets: rows,
    hours,
    hours_read_at: hours.length === 0 ? null : at,
    price: {
      last: close,
      at,
      change_1h_pct: -2.13,
      change_24h_pct: -31.4,
      change_7d_pct: hours.length === 0 ? null : -44.8,
    },
    venues: sampleVenues(sample, pair, close),
    peers:
      sample.board === false
        ? null
        : {
            rank: 84,
            of: 318,
            volume_rank: 97,
            near: ['RNDR', 'ENJ', 'CELO', 'ZRX'].map((name, place) => ({
              token_id: `${exchange}_${name}_usdt`.toLowerCase(),
              symbol: `${name}/USDT`,
              grade: (['B+', 'B', 'B', 'C+'] as const)[place] ?? 'F',
              risk_score: [38, 41, 52, 66][place] ?? 0,
              lifecycle: 'active' as const,
              alerts: [],
              recent_alerts: [],
              spread_bps: 11.2 + place * 4,
              depth_2pct_usd: 182_000 - place * 31_000,
              depth_is_lower_bound: false,
              volume_24h_usd: 5_410_000 - place * 410_000,
            })),
          },
    past_alerts: past,
    watched_since: sample.watchedSince ?? '2026-02-01T00:00:00.000Z',
    publishes_flags: sample.flags === undefined || sample.flags.length > 0,
    notices: [
      ...(sample.flags ?? ['caution.PRICE_FLUCTUATIONS']).map((flag) => ({
        at,
        kind: 'flag_raised' as const,
        detail: flag,
        effective_at: null,
        source: null,
        published_at: null,
        title: null,
        url: null,
      })),
      ...(sample.notices ?? []),
      {
        at: '2022-05-03T08:00:00.000Z',
        kind: 'listed' as const,
        detail: 'listed',
        effective_at: null,
        source: null,
        published_at: null,
        title: null,
        url: null,
      },
    ],
    health: {
      expected,
      ok,
      longest_gap_minutes: 7,
      latency_p95_ms: 318,
      clock_skew_ms: -41,
      stale: Math.round(expected * 0.002),
      crossed: 1,
      truncated: Math.round(expected * 0.031),
      one_sided: 0,
      errors:
        expected === ok
          ? []
          : [
              { class: 'timeout', count: Math.ceil((expected - ok) * 0.7) },
              { class: 'rate_limited', count: Math.floor((expected - ok) * 0.3) },
            ],
    },
    captures: {
      count: sample.captures ?? 48,
      seconds: (sample.captures ?? 48) * 60,
      last_at: (sample.captures ?? 48) === 0 ? null : at,
      burst_count: sample.bursts ?? 17,
      bursts: Array.from({ length: sample.bursts ?? 17 }, (_, place) => {
        const notional = 4_000 + random() * 90_000
        return {
          start: new Date(to - (place + 1) * 9_100_000).toISOString(),
          duration_ms: Math.round(200 + random() * 2_400),
          orders: 9 + Math.round(random() * 20),
          fills: 20 + Math.round(random() * 80),
          notional_usd: notional,
          signed_notional_usd: random() > 0.35 ? -notional : notional,
          range_bps: 4 + random() * 20,
          impact_bps: place === 3 ? null : (random() - 0.6) * 30,
          replenishment_half_life_ms: 900,
          reversion_10s: 0.3,
          reversion_60s: place === 3 ? null : random(),
        }
      }),
    },
    contract: sample.contract ?? null,
    board:
      sample.board === false
        ? null
        : {
            computed_at: at,
            formula_version: 'gpa-1',
            n_peers: 321,
            row: {
              ...pair,
              name_from: null,
              name_ko: null,
              name_ko_from: null,
              grade: 'B-',
              gpa: 2.77,
              grades: { spread: 'C+', depth: 'B-', volume: 'B', stability: 'B' },
              spread_bps: 34.2,
              depth_2pct_usd: 61_400,
              depth_is_lower_bound: sample.cut ?? false,
              gpa_is_lower_bound: sample.cut ?? false,
              volume_24h_usd: 4_830_000,
              price: close,
              change_24h_pct: -31.4,
              lifecycle: sample.lifecycle ?? 'at_risk',
              outlook: 'worsening',
              risk_score: 91,
              flags: (sample.flags ?? ['caution.PRICE_FLUCTUATIONS']).map((flag) => ({
                flag,
                meaning: 'caution' as const,
                since: at,
                effective_at: null,
                source: 'upbit /v1/market/all?is_details=true',
                published_at: null,
                lateness_seconds: null,
              })),
              alerts:
                sample.alerts === null
                  ? null
                  : (sample.alerts ?? []).map((rule, place) => ({
                      episode_id: `cri_${place + 1}`,
                      rule,
                      severity: Math.max(1, 3 - place),
                      opened_at: at,
                      text: {
                        en: `${symbol} on ${exchange} fell 31.2 % more than its market within an hour.`,
                        ko: `${exchange} ${symbol}: 한 시간 동안 시장보다 31.2 % 더 하락했습니다.`,
                      },
                    })),
              not_judged: (sample.notJudged ?? []).map(([rule, reason]) => ({ rule, reason, since: at })),
              recent_alerts: past.filter(({ closed_at }) => Date.parse(closed_at) > to - MEMORY_DAYS * 86_400_000),
              updated_at: at,
            },
            components: components.map(([key, value, unit, grade, points, weight, percentile]) => ({
              key,
              value,
              is_lower_bound: key === 'depth' && (sample.cut ?? false),
              window_minutes: { spread: 120, depth: 120, volume: 1_440, stability: 1_000 }[key],
              unit,
              grade,
              points,
              weight,
              contribution: Math.round(points * weight * 1000) / 1000,
              percentile,
              n: 120,
            })),
            risk: {
              score: 74,
              reason: null,
              model_version: 'delisting-rank-4',
              n_peers: 321,
              factors: [
                {
                  key: 'volume_24h_usd',
                  value: 4_830_000,
                  is_lower_bound: false,
                  window_minutes: 1_440,
                  percentile: 36,
                  points: 6.1,
                },
                {
                  key: 'zero_trade_share',
                  value: 0.021,
                  is_lower_bound: false,
                  window_minutes: 1_000,
                  percentile: 52,
                  points: 8.8,
                },
                {
                  key: 'amihud',
                  value: 0.41,
                  is_lower_bound: false,
                  window_minutes: 1_000,
                  percentile: 71,
                  points: 12,
                },
                {
                  key: 'depth_2pct_usd',
                  value: 61_400,
                  is_lower_bound: sample.cut ?? false,
                  window_minutes: 120,
                  percentile: 69,
                  points: 11.6,
                },
                {
                  key: 'spread_bps',
                  value: 34.2,
                  is_lower_bound: false,
                  window_minutes: 120,
                  percentile: 78,
                  points: 13.1,
                },
                {
                  key: 'quote_markets',
                  value: 3,
                  is_lower_bound: false,
                  window_minutes: null,
                  percentile: 63,
                  points: 5.3,
                },
                {
                  key: 'regulated_venues',
                  value: 1,
                  is_lower_bound: false,
                  window_minutes: null,
                  percentile: 44,
                  points: 3.1,
                },
                {
                  key: 'caution',
                  value: 60,
                  is_lower_bound: false,
                  window_minutes: null,
                  percentile: null,
                  points: 14,
                },
              ],
              text: {
                en: 'The venue has marked it with a caution. Less liquid than 60 % of 321 comparable pairs: spread 34.2 bps, price impact 0.41 bps per $1,000 traded, depth of $61,400 within 2 %. Raised from 60 to 74.',
                ko: '거래소가 주의 종목으로 지정했습니다. 비교 대상 321개 중 60%보다 유동성이 낮습니다: 스프레드 34.2bp, $1,000 거래당 가격 영향 0.41bp, ±2% 호가 잔량 $61,400. 점수를 상향했습니다(60 → 74).',
              },
            },
            worth: WORTH,
            peers: [
              ['spread', 34.2, 22, 31],
              ['depth', 61_400, 31, 44],
              ['volume', 4_830_000, 64, 71],
              ['stability', 0.83, 47, null],
            ].map(([key, value, venue, all]) => ({
              key: key as 'spread',
              value: value as number,
              is_lower_bound: key === 'depth' && (sample.cut ?? false),
              venue: { percentile: venue as number, n: 321 },
              all: { percentile: all as number | null, n: all === null ? 12 : 2_184 },
            })),
          },
  }
}

function sampleVenues(sample: Sample, pair: TargetHistory['pair'], price: number): TargetHistory['venues'] {
  const others = OTHERS.slice(0, sample.venues ?? 3)
  const own = { exchange: pair.exchange, symbol: pair.symbol, volume: 4_830_000, is_this: true }
  const all = [
    own,
    ...others.map((exchange, place) => ({
      exchange,
      symbol: exchange === 'upbit' ? `${pair.base}/KRW` : pair.symbol,
      volume: [1_310_000, 640_000, 88_000, 51_000, 40_000, 31_000, 12_000, 4_000][place] ?? 0,
      is_this: false,
    })),
  ]
  const total = sample.board === false ? null : all.reduce((sum, { volume }) => sum + volume, 0)
  return {
    total: all.length,
    exchanges: all.length,
    volume_24h_usd: total,
    volume_known_of: total === null ? 0 : all.length,
    basis:
      others.length === 0
        ? []
        : ['ethereum:0x50d1c9771902476076ecfc8b2a83ad6b9355a4c9 (curated list; reviewed metadata)'],
    pairs: all.map(({ exchange, symbol, volume, is_this }, place) => ({
      token_id: `${exchange}_${symbol.replace('/', '_')}`.toLowerCase(),
      exchange,
      symbol,
      is_this,
      grade: total === null ? null : ((['B-', 'C+', 'C', 'D+', 'D'] as const)[place] ?? 'D-'),
      lifecycle: total === null ? null : is_this ? 'at_risk' : 'active',
      alerts: total === null ? null : [],
      recent_alerts: total === null ? null : [],
      price: total === null ? null : price * (1 + place / 1000),
      spread_bps: total === null ? null : 34.2 + place * 12,
      depth_2pct_usd: total === null ? null : 61_400 / (1 + place),
      depth_is_lower_bound: (sample.cut ?? false) && is_this,
      volume_24h_usd: total === null ? null : volume,
      volume_share: total === null ? null : volume / total,
    })),
    unproven: others.length > 2 ? ['bithumb'] : [],
  }
}
