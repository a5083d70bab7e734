import { THRESHOLDS, type CrisisRule, type Measure } from './crisis-rules.ts'

/** What an alert says in one number, its threshold, and one sentence without the token's name. */
export interface CrisisSummary {
  readonly value: number | null
  readonly threshold: number | null
  readonly text: string
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
        text: relative ? `fell ${fall} more than its market within an hour` : `fell ${fall} within an hour`,
      }
    }
    case 'liquidity_withdrawal':
      return {
        value: number('share_of_median'),
        threshold: THRESHOLDS.depthShareOfMedian,
        text: `has ${percent(number('share_of_median'), 0)} of its usual depth within 2 %`,
      }
    case 'spread_blowout': {
      const median = number('median_24h_bps')
      return {
        value: number('spread_bps'),
        threshold: median === null ? null : Math.max(THRESHOLDS.spreadTimesMedian * median, THRESHOLDS.spreadBpsMin),
        text: `has a spread of ${number('spread_bps')?.toFixed(0) ?? '?'} bps for ten minutes`,
      }
    }
    case 'halt':
      return {
        value: number('silent_minutes'),
        threshold: null,
        text: inputs['halted'] === true ? 'does not trade: its venue says so' : 'has not traded for unusually long',
      }
    case 'depeg': {
      const price = number('price_usd')
      return {
        value: price === null ? null : price - 1,
        threshold: THRESHOLDS.depeg,
        text: `is worth ${price?.toFixed(4) ?? '?'} dollars for ten minutes`,
      }
    }
    case 'official_notice':
      return { value: null, threshold: null, text: `has an official notice: ${words('new_flags') || words('flags')}` }
    case 'cross_venue_gap':
      return {
        value: number('gap'),
        threshold: THRESHOLDS.crossVenueGap,
        text: `is ${percent(number('gap'))} away from its price at other venues for ten minutes`,
      }
  }
}
