import { THRESHOLDS, type CrisisRule, type Measure } from './crisis-rules.ts'

/** One sentence or two in each language of the reports. */
export interface LocalizedText {
  readonly en: string
  readonly ko: string
}

/** What an alert says in one number, its threshold, and one sentence without the token's name. */
export interface CrisisSummary {
  readonly value: number | null
  readonly threshold: number | null
  readonly text: LocalizedText
}

const percent = (share: number | null, digits = 1) => (share === null ? '?' : `${(share * 100).toFixed(digits)} %`)

/** Puts what a rule read into words. */
export function summarize(rule: CrisisRule, inputs: Measure['inputs']): CrisisSummary {
  const number = (key: string) => {
    const value = inputs[key]
    return typeof value === 'number' ? value : null
  }
  const words = (key: string) => String(inputs[key] ?? '')
  switch (rule) {
    case 'crash': {
      const relative = inputs['rule'] === 'relative'
      const value = number(relative ? 'relative_return_60m' : 'return_60m')
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
    }
    case 'liquidity_withdrawal':
      return {
        value: number('share_of_median'),
        threshold: THRESHOLDS.depthShareOfMedian,
        text: {
          en: `has ${percent(number('share_of_median'), 0)} of its usual depth within 2 %`,
          ko: `±2% 호가 잔량이 평소의 ${percent(number('share_of_median'), 0)}입니다`,
        },
      }
    case 'spread_blowout': {
      const median = number('median_24h_bps')
      return {
        value: number('spread_bps'),
        threshold: median === null ? null : Math.max(THRESHOLDS.spreadTimesMedian * median, THRESHOLDS.spreadBpsMin),
        text: {
          en: `has a spread of ${number('spread_bps')?.toFixed(0) ?? '?'} bps for ten minutes`,
          ko: `10분 동안 스프레드가 ${number('spread_bps')?.toFixed(0) ?? '?'}bp입니다`,
        },
      }
    }
    case 'halt':
      return {
        value: number('silent_minutes'),
        threshold: null,
        text:
          inputs['halted'] === true
            ? { en: 'does not trade: its venue says so', ko: '거래소가 거래를 정지했습니다' }
            : { en: 'has not traded for unusually long', ko: '비정상적으로 오래 거래가 없습니다' },
      }
    case 'depeg': {
      const price = number('price_usd')
      return {
        value: price === null ? null : price - 1,
        threshold: THRESHOLDS.depeg,
        text: {
          en: `is worth ${price?.toFixed(4) ?? '?'} dollars for ten minutes`,
          ko: `10분 동안 가격이 ${price?.toFixed(4) ?? '?'}달러입니다`,
        },
      }
    }
    case 'official_notice': {
      const notice = words('new_flags') || words('flags')
      return {
        value: null,
        threshold: null,
        text: { en: `has an official notice: ${notice}`, ko: `거래소의 공식 표시가 있습니다: ${notice}` },
      }
    }
    case 'cross_venue_gap':
      return {
        value: number('gap'),
        threshold: THRESHOLDS.crossVenueGap,
        text: {
          en: `is ${percent(number('gap'))} away from its price at other venues for ten minutes`,
          ko: `10분 동안 다른 거래소의 가격과 ${percent(number('gap'))} 차이가 납니다`,
        },
      }
  }
}
