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

const percent = (share: number | null, digits = 1) => (share === null ? '?' : `${(share * 100).toFixed(digits)} %`)

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
        en: `has ${percent(share, 0)} of its usual depth within 2 %`,
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
