import type { CrisisRule } from '@svc/market-data/crisis/rules/crisis-rules'
import { table } from '../calibrate/markdown.ts'
import type { Judged } from './measure.ts'
import { falseAlarms } from './false-alarms.ts'
import type { Synthetic } from './synthetic.ts'

/** A made-up market with what the rules did on it. */
export interface MadeUp extends Judged {
  readonly replay: Synthetic
}

const RULES: readonly CrisisRule[] = ['liquidity_withdrawal', 'spread_blowout', 'official_notice']
const MINUTE_MS = 60_000

/** Returns the section about made-up episodes, which no other figure of the page includes. */
export function syntheticSection(madeUp: readonly MadeUp[]): string {
  return `## Made-up episodes

**Synthetic: nothing in this section was observed at a market.** For the two rules without a recording, and for notices, episodes were made up
(\`tools/lab/crises/synthetic.ts\`, one seed): a hundred pairs over three days whose depth and spread move with a daily cycle, a slow and a fast noise. Every
second pair has one episode of an hour. The section says how fast the rules see what they are meant to see. Its noise is chosen, not measured, so its
false alarms say that the rules bear such noise, and nothing about markets.

${table(
  ['market', 'episode', 'episodes', 'seen', 'minutes from its begin: least', 'median', 'most'],
  madeUp.flatMap(episodeRows),
)}

A book that is read every fifth minute is known in two of ten minutes; five of the last ten *known* minutes take 25 minutes.

${table(
  ['market', 'rule', 'pair-weeks without an episode', 'alarms', 'per 100 pairs a week'],
  madeUp.flatMap((one) => RULES.map((rule) => alarmRow(one, rule))),
)}
`
}

function episodeRows({ replay, opened }: MadeUp): (string | number)[][] {
  const begun = Map.groupBy(replay.episodes, ([, { name }]) => name)
  return [...begun].map(([name, episodes]) => {
    const delays = episodes
      .flatMap(([id, { atMs }]) => {
        const seen = opened.find((one) => one.id === id && one.atMs >= atMs)
        return seen === undefined ? [] : [(seen.atMs - atMs) / MINUTE_MS]
      })
      .toSorted((a, b) => a - b)
    const at = (place: number) => delays[place] ?? '–'
    const middle = Math.floor((delays.length - 1) / 2)
    return [replay.name, name, episodes.length, delays.length, at(0), at(middle), at(delays.length - 1)]
  })
}

function alarmRow(one: MadeUp, rule: CrisisRule): (string | number)[] {
  const { pairWeeks, count, per100 } = falseAlarms([one], 'synthetic', rule)
  const range =
    per100 === null ? '–' : `${per100.value.toFixed(0)} (${per100.low.toFixed(0)} … ${per100.high.toFixed(0)})`
  return [one.replay.name, `\`${rule}\``, pairWeeks.toFixed(2), count, range]
}
