import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BOOK_AGE_MAX_MS, BOOK_SKEW_MAX_MS } from '@svc/market-data/arbitrage/rules/arbitrage'
import { REGULATED_VENUES } from '@svc/market-data/assets/rules/regulated-venues'
import { PRICE_RATIO_MAX } from '@svc/market-data/assets/rules/asset-identity'
import {
  CRISIS_RULES,
  CRISIS_RULES_VERSION,
  RULE_TIMINGS,
  THRESHOLDS,
} from '@svc/market-data/crisis/rules/crisis-rules'
import {
  RISK_FLOORS,
  RISK_INPUT_KEYS,
  RISK_INPUTS_MIN,
  RISK_MODEL_VERSION,
} from '@svc/market-data/board/rules/delisting-risk-model'
import { WORTH_MODEL_VERSION } from '@svc/market-data/board/rules/delisting-worth-data'
import { COMPONENTS, FORMULA_VERSION, gradeOf, pointsOf, weightOf } from '@svc/market-data/board/rules/grades'
import { BURST_RULE } from '@svc/market-data/captures/rules/microburst'
import { letter } from '@svc/contracts/market-data/board'
import { describe, expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../docs/method')
const page = (name: string) => readFileSync(join(folder, `${name}.md`), 'utf8')
const rows = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
const numberOf = (text: string) => {
  const [, digits = '', unit = ''] = /^([\d.]+)([kM]?)$/.exec(text) ?? []
  return Number(digits) * (unit === 'M' ? 1e6 : unit === 'k' ? 1000 : 1)
}

describe('the method pages agree with the code', () => {
  test('the table of letters has the thresholds, weights and version of the grading code', () => {
    const text = page('grades')
    const table = rows(text)
    const letters = table.find(([, first]) => first === 'A+')?.slice(1) ?? []
    expect(letters).toHaveLength(13)
    const points = table.find(([first]) => first === 'points')?.slice(1) ?? []
    for (const [index, name] of letters.entries()) expect(pointsOf(letter.parse(name))).toBe(Number(points[index]))
    for (const component of COMPONENTS) {
      const limits =
        table.find(([first = '']) => first.startsWith(component) && /[≤≥]$/.test(first))?.slice(1, 13) ?? []
      expect(limits).toHaveLength(12)
      const beyond = component === 'spread' ? 1.001 : 0.999
      for (const [index, limit] of limits.entries()) {
        expect(gradeOf(component, numberOf(limit)), `${component} ${limit}`).toBe(letters[index])
        expect(gradeOf(component, numberOf(limit) * beyond)).toBe(letters[index + 1])
      }
      expect(text).toContain(`${weightOf(component).toFixed(2)} · ${component}`)
    }
    expect(text).toContain(`Version \`${FORMULA_VERSION}\``)
  })

  test('the risk page lists every input, every floor and the version', () => {
    const text = page('delisting-risk')
    const table = rows(text)
    expect(table.flatMap(([first = '']) => /^`(\w+)`$/.exec(first)?.[1] ?? [])).toEqual(
      expect.arrayContaining([...RISK_INPUT_KEYS]),
    )
    for (const [flag, floor] of Object.entries(RISK_FLOORS))
      expect(Number(table.find(([first = '']) => first.startsWith(`\`${flag}\``))?.[1]), flag).toBe(floor)
    expect(text).toContain(`Version \`${RISK_MODEL_VERSION}\``)
    expect(page('calibration')).toContain(`Model \`${RISK_MODEL_VERSION}\``)
    expect(RISK_INPUTS_MIN).toBe(3)
    for (const { name } of REGULATED_VENUES) {
      expect(text).toContain(name)
      expect(page('model-card-delisting')).toContain(name)
    }
    expect(page('model-card-delisting')).toContain(`\`${WORTH_MODEL_VERSION}\`: `)
    expect(WORTH_MODEL_VERSION).toBe(RISK_MODEL_VERSION)
  })

  test('the crisis page lists every rule with its threshold and window', () => {
    const text = page('crisis')
    const cell = (rule: string) => rows(text).find(([first]) => first === `\`${rule}\``)?.[1] ?? ''
    for (const rule of CRISIS_RULES) {
      const { needed, window, cooldownMinutes } = RULE_TIMINGS[rule]
      expect(cell(rule), rule).not.toBe('')
      if (window > 1) expect(cell(rule)).toMatch(new RegExp(`in ${needed} of (the last )?${window} `))
      expect(cooldownMinutes).toBe(rule === 'official_notice' ? 0 : 60)
    }
    const percent = (share: number) => `${Math.abs(Math.round(share * 100))} %`
    expect(cell('crash')).toContain(`−${percent(THRESHOLDS.relativeReturn60m)} relative`)
    expect(cell('crash')).toContain(`−${percent(THRESHOLDS.absoluteReturn60m)} absolute`)
    expect(cell('liquidity_withdrawal')).toContain(percent(THRESHOLDS.depthShareOfMedian))
    expect(cell('spread_blowout')).toContain(`${THRESHOLDS.spreadTimesMedian} ×`)
    expect(cell('spread_blowout')).toContain(`${THRESHOLDS.spreadBpsMin} bps`)
    expect(cell('halt')).toContain(`${THRESHOLDS.silenceMinutesMin} minutes`)
    expect(cell('depeg')).toContain(percent(THRESHOLDS.depeg))
    expect(cell('cross_venue_gap')).toContain(percent(THRESHOLDS.crossVenueGap))
    expect(text).toContain(`Version \`${CRISIS_RULES_VERSION}\``)
  })

  test('the pages of bursts and arbitrage state the limits in force', () => {
    const burst = page('microburst')
    expect(burst).toContain(`n ≥ ${BURST_RULE.ordersMin},`)
    expect(burst).toContain(`n ≥ ${BURST_RULE.rateRatioMin} λ,`)
    expect(burst).toContain(`$${BURST_RULE.notionalUsdMin}`)
    expect(burst).toContain(`${BURST_RULE.depthShareMin * 100} % of the captured depth`)
    const arbitrage = page('arbitrage')
    expect(arbitrage).toContain(`older than ${BOOK_AGE_MAX_MS / 1000} s`)
    expect(arbitrage).toContain(`more than ${BOOK_SKEW_MAX_MS / 1000} s`)
    expect(arbitrage).toContain(`${1 / PRICE_RATIO_MAX}–${PRICE_RATIO_MAX}`)
  })

  test('every method page is reachable from the first one, has working links, and states its limits', () => {
    const names = readdirSync(folder).filter((name) => name !== 'README.md')
    for (const name of names) expect(page('README')).toContain(`(${name})`)
    for (const name of [...names, 'README.md']) {
      const text = readFileSync(join(folder, name), 'utf8')
      for (const [, link = ''] of text.matchAll(/\]\(([\w-]+\.md)\)/g)) expect([...names, 'README.md']).toContain(link)
      expect(text).toMatch(/## (Not for|Limits|What none of it is)/)
    }
  })
})
