import { THRESHOLDS, type CrisisRule, type Measure } from './crisis-rules.ts'

/** A text of one or two sentences in each language of the reports. */
export interface LocalizedText {
  readonly en: string
  readonly ko: string
}

/** The measure of an alert, its threshold, and one sentence without the token's name. */
export interface CrisisSummary {
  readonly value: number | null
  readonly threshold: number | null
  readonly text: LocalizedText
}

type Inputs = Measure['inputs']

const percent = (share: number | null, digits = 1) => (share === null ? '?' : `${(share * 100).toFixed(digits)}%`)

function numberIn(inputs: Inputs, key: string): number | null {
  const value = inputs[key]
  return typeof value === 'number' ? value : null
}

/** Summaries by rule; each argument is what the rule read. */
const SUMMARIES: Readonly<Record<CrisisRule, (inputs: Inputs) => CrisisSummary>> = {
  crash: (inputs) => {
    const relative = inputs['rule'] === 'relative'
    const value = numberIn(inputs, relative ? 'relative_return_60m' : 'return_60m')
    const fall = percent(value === null ? null : -value)
    return {
      value,
      threshold: relative ? THRESHOLDS.relativeReturn60m : THRESHOLDS.absoluteReturn60m,
      text: relative
        ? {
            en: `fell ${fall} more than its market within an hour`,
            ko: `한 시간 동안 시장보다 ${fall} 더 하락했습니다`,
          }
        : { en: `fell ${fall} within an hour`, ko: `한 시간 동안 ${fall} 하락했습니다` },
    }
  },
  liquidity_withdrawal: (inputs) => {
    const share = numberIn(inputs, 'share_of_median')
    return {
      value: share,
      threshold: THRESHOLDS.depthShareOfMedian,
      text: {
        en: `has ${percent(share, 0)} of its usual depth within 2%`,
        ko: `±2% 호가 잔량이 평소의 ${percent(share, 0)}입니다`,
      },
    }
  },
  spread_blowout: (inputs) => {
    const median = numberIn(inputs, 'median_24h_bps')
    const spread = numberIn(inputs, 'spread_bps')
    return {
      value: spread,
      threshold: median === null ? null : Math.max(THRESHOLDS.spreadTimesMedian * median, THRESHOLDS.spreadBpsMin),
      text: {
        en: `has a spread of ${spread?.toFixed(0) ?? '?'} bps for ten minutes`,
        ko: `10분 동안 스프레드가 ${spread?.toFixed(0) ?? '?'}bp입니다`,
      },
    }
  },
  halt: (inputs) => ({
    value: numberIn(inputs, 'silent_minutes'),
    threshold: null,
    text:
      inputs['halted'] === true
        ? { en: 'does not trade: its venue says so', ko: '거래소가 거래를 정지했습니다' }
        : { en: 'has not traded for unusually long', ko: '비정상적으로 오래 거래가 없습니다' },
  }),
  depeg: (inputs) => {
    const price = numberIn(inputs, 'price_usd')
    return {
      value: price === null ? null : price - 1,
      threshold: THRESHOLDS.depeg,
      text: {
        en: `is worth ${price?.toFixed(4) ?? '?'} dollars for ten minutes`,
        ko: `10분 동안 가격이 ${price?.toFixed(4) ?? '?'}달러입니다`,
      },
    }
  },
  official_notice: (inputs) => {
    const notice = String(inputs['new_flags'] ?? '') || String(inputs['flags'] ?? '')
    return {
      value: null,
      threshold: null,
      text: { en: `has an official notice: ${notice}`, ko: `거래소의 공식 표시가 있습니다: ${notice}` },
    }
  },
  cross_venue_gap: (inputs) => {
    const gap = numberIn(inputs, 'gap')
    return {
      value: gap,
      threshold: THRESHOLDS.crossVenueGap,
      text: {
        en: `is ${percent(gap)} away from its price at other venues for ten minutes`,
        ko: `10분 동안 다른 거래소의 가격과 ${percent(gap)} 차이가 납니다`,
      },
    }
  },
}

/** Summarizes what a rule read. */
export const summarize = (rule: CrisisRule, inputs: Inputs): CrisisSummary => SUMMARIES[rule](inputs)

/** The value of a rule in the last judged minute, in the measure of the worst one, and a few words about it. */
interface Present {
  readonly value: number | null
  readonly text: LocalizedText | null
}

const same = (text: string | null): LocalizedText | null => (text === null ? null : { en: text, ko: text })
const shareOf = (value: number | null, digits = 1): Present => ({
  value,
  text: same(value === null ? null : percent(value, digits)),
})

/** What each rule reads at present; the other argument is what it read at its worst. */
const PRESENTS: Readonly<Record<CrisisRule, (now: Inputs, worst: Inputs) => Present>> = {
  crash: (now, worst) => {
    const value = numberIn(now, worst['rule'] === 'relative' ? 'relative_return_60m' : 'return_60m')
    if (value === null) return { value, text: null }
    const size = percent(Math.abs(value))
    return { value, text: value > 0 ? { en: `up ${size}`, ko: `${size} 상승` } : same(size) }
  },
  liquidity_withdrawal: (now) => shareOf(numberIn(now, 'share_of_median'), 0),
  spread_blowout: (now) => {
    const value = numberIn(now, 'spread_bps')
    return { value, text: value === null ? null : { en: `${value.toFixed(0)} bps`, ko: `${value.toFixed(0)}bp` } }
  },
  halt: (now) => {
    const value = numberIn(now, 'silent_minutes')
    if (now['halted'] === true) return { value, text: { en: 'halted by its venue', ko: '거래소가 정지' } }
    if (now['halted'] === false && (value === null || value === 0))
      return { value, text: { en: 'it trades', ko: '거래 중' } }
    return {
      value,
      text: value === null ? null : { en: `${value} minutes without a trade`, ko: `${value}분간 거래 없음` },
    }
  },
  depeg: (now) => {
    const price = numberIn(now, 'price_usd')
    return {
      value: price === null ? null : price - 1,
      text: price === null ? null : { en: `${price.toFixed(4)} dollars`, ko: `${price.toFixed(4)}달러` },
    }
  },
  official_notice: (now) => {
    const flags = String(now['flags'] ?? '')
    return { value: null, text: flags === '' ? { en: 'no notice', ko: '표시 없음' } : same(flags) }
  },
  cross_venue_gap: (now) => shareOf(numberIn(now, 'gap')),
}

/** Returns the present state of an episode; its value and text are null if it is unknown. */
export const presentOf = (rule: CrisisRule, now: Inputs | null, worst: Inputs): Present =>
  now === null ? { value: null, text: null } : PRESENTS[rule](now, worst)
