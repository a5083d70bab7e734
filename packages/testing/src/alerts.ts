import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { serverBinary, systemEnvironment } from '@svc/servers'
import { metricsText } from '@svc/service'

/** What a process exposed at a time. */
export interface Scrape {
  /** By the clock of the process, Unix milliseconds. */
  readonly atMs: number
  /** Values by series. */
  readonly series: ReadonlyMap<string, string>
}

/**
 * Scrapes on both sides of an event. Of two on a side, the second shows how counters, cursors and ages go on from the first. So does a
 * point in time that has moved, such as the last success of a worker that still works: since the first of two scrapes after the event,
 * or since the event if there is one. Another one stands still.
 */
export interface Sides {
  readonly before: readonly Scrape[]
  readonly after: readonly Scrape[]
  /** Minutes that pass after the event beside those for which the alert must hold; default 0. */
  readonly minutes?: number
}

/** Seconds between two scrapes of Prometheus, and how many show the time before the event: more than any window of an alert on counts. */
const STEP_SEC = 15
const BEFORE_STEPS = 80
/** Metrics that only grow, ages, and points in time, which promtool counts from 1970. */
const GROWS = /_(?:total|count|bucket|block)$/
const AGE = /_age_seconds$/
const POINT_IN_TIME = /_(?:timestamp|at)_seconds$/

const RULES = readFileSync(join(import.meta.dirname, '../../../infra/prometheus/rules.yaml'), 'utf8')
const [, RECORDS = '', ALERTS = ''] = /^groups:\n([^]*?)(^ {2}- name: alerts\n[^]*)$/m.exec(RULES) ?? []

/** Reads the text that a process exposes. */
export function scrapeOf(text: string, atMs = Date.now()): Scrape {
  const series = text.split('\n').flatMap((line) => {
    const [, name = '', value = ''] = /^([a-z_:]+(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    return name === '' || value === 'NaN' ? [] : [[name, value] as const]
  })
  return { atMs, series: new Map(series) }
}

/** Reads what this process exposes, by a clock of its services. */
export const scrapeHere = async (atMs?: number): Promise<Scrape> => scrapeOf(await metricsText(), atMs)

/** Returns the shipped rule of an alert. */
function ruleOf(alert: string): { readonly text: string; readonly expr: string; readonly holdSec: number } {
  const text = ALERTS.split(/^(?= {6}- alert: )/m).find((one) => one.startsWith(`      - alert: ${alert}\n`))
  const expr = /^ {8}expr: (.*)$/m.exec(text ?? '')?.[1]
  const minutes = /^ {8}for: (\d+)m$/m.exec(text ?? '')?.[1]
  if (text === undefined || expr === undefined || minutes === undefined)
    throw new Error(`infra/prometheus/rules.yaml has no alert ${alert}: run npm run generate.`)
  return { text, expr, holdSec: Number(minutes) * 60 }
}

const metricOf = (series: string) => series.replace(/\{.*/, '')
const metricsIn = (expr: string) => new Set(expr.replaceAll(/"[^"]*"/g, '').match(/\b(?:hub|cherry)_[a-z0-9_]+/g))
const isOfRecords = (expr: string) => expr.includes('slo:')
const readBy = (expr: string) => metricsIn(isOfRecords(expr) ? RECORDS : expr)

/** Whether a scrape has each metric that an alert reads by itself. */
export function hasMetricsOf(alert: string, { series }: Scrape): boolean {
  const found = new Set([...series.keys()].map(metricOf))
  return [...metricsIn(ruleOf(alert).expr)].every((metric) => found.has(metric))
}

/** How much a value of a series grows from step to step. */
function growthOf(metric: string, first: number, last: number): number {
  if (AGE.test(metric)) return last > first ? STEP_SEC : 0
  return GROWS.test(metric) ? last - first : 0
}

/** The values of a series before the event, in the notation of promtool. */
function valuesBefore(name: string, scrapes: readonly Scrape[]): string {
  const [first, second = first] = scrapes
  const value = second?.series.get(name)
  if (first === undefined || second === undefined || value === undefined) return `_x${BEFORE_STEPS - 1}`
  const last = Number(value)
  if (POINT_IN_TIME.test(metricOf(name))) return `${last - second.atMs / 1000}+${STEP_SEC}x${BEFORE_STEPS - 1}`
  const growth = growthOf(metricOf(name), Number(first.series.get(name) ?? last), last)
  return `${last - growth * (BEFORE_STEPS - 1)}+${growth}x${BEFORE_STEPS - 1}`
}

/** The values of a series after it. */
function valuesAfter(name: string, { before, after }: Sides, steps: number): string {
  const [first, second = first] = after
  const value = second?.series.get(name)
  if (first === undefined || second === undefined || value === undefined) return 'stale'
  const last = Number(value)
  const beganSec = BEFORE_STEPS * STEP_SEC
  if (POINT_IN_TIME.test(metricOf(name))) {
    const goesOn = (after.length > 1 ? first : before.at(-1))?.series.get(name) !== value
    return `${beganSec + last - second.atMs / 1000}+${goesOn ? STEP_SEC : 0}x${steps - 1}`
  }
  const growth = growthOf(metricOf(name), Number(first.series.get(name) ?? last), last)
  return `${last}+${growth}x${steps - 1}`
}

/** The series of promtool: what was not there yet has no value, what is gone is stale. */
function seriesOf(read: ReadonlySet<string>, { before, after }: Sides, afterSteps: number): object[] {
  const names = new Set([...before, ...after].flatMap(({ series }) => [...series.keys()]))
  return [...names]
    .filter((name) => read.has(metricOf(name)))
    .map((series) => ({
      series,
      values: `${valuesBefore(series, before)} ${valuesAfter(series, { before, after }, afterSteps)}`,
    }))
}

/**
 * Has promtool evaluate the shipped rule of an alert over scrapes of a process from before and after an event, each repeated every 15 s.
 * Throws unless the alert is silent until the event, and fires once it has held for its minutes.
 */
export async function expectFires(alert: string, { before, after, minutes = 0 }: Sides): Promise<void> {
  const { expr } = ruleOf(alert)
  const read = readBy(expr)
  const shown = (scrapes: readonly Scrape[]) =>
    JSON.stringify(scrapes.map(({ series }) => [...series].filter(([name]) => read.has(metricOf(name)))))
  if (minutes === 0 && shown(before) === shown(after)) throw new Error(`nothing that ${alert} reads has changed`)
  await evaluate({ before, after, minutes }, { alert, records: isOfRecords(expr) ? RECORDS : '' })
}

const BURNS_FAST = 'BudgetBurnsFast'
/** Longer than the long window of the alert. */
const BURNING_MINUTES = 60

/**
 * The same for a level of service: throws unless its budget burns fast once the state after the event has lasted for an hour, and
 * does not before.
 */
export async function expectBurns(slo: string, { before, after }: Omit<Sides, 'minutes'>): Promise<void> {
  const own = RECORDS.split(/^(?= {6}- record: )/m).filter((one) => one.includes(` slo: ${slo}\n`))
  if (own.length === 0) throw new Error(`infra/prometheus/rules.yaml has no level of service ${slo}`)
  const records = `  - name: slo\n    rules:\n${own.join('')}`
  await evaluate({ before, after, minutes: BURNING_MINUTES }, { alert: BURNS_FAST, records, more: `,slo="${slo}"` })
}

/** Has promtool look for an alert before the event and at its end. `records` are the rules that it follows, `more` labels of it. */
async function evaluate(
  { before, after, minutes }: Required<Sides>,
  { alert, records, more = '' }: { readonly alert: string; readonly records: string; readonly more?: string },
): Promise<void> {
  const { text, expr, holdSec } = ruleOf(alert)
  const read = metricsIn(records === '' ? expr : records)
  const steps = (holdSec + minutes * 60) / STEP_SEC
  const firing = `count(ALERTS{alertname="${alert}",alertstate="firing"${more}}) or vector(0)`
  const at = (count: number) => `${count * STEP_SEC}s`
  const [isSilent, fires] = [BEFORE_STEPS - 1, BEFORE_STEPS + steps + 1]
  const test = {
    interval: at(1),
    input_series: seriesOf(read, { before, after }, steps + 2),
    promql_expr_test: [
      { expr: firing, eval_time: at(isSilent), exp_samples: [{ labels: '{}', value: 0 }] },
      { expr: `clamp_max(${firing}, 1)`, eval_time: at(fires), exp_samples: [{ labels: '{}', value: 1 }] },
    ],
  }
  const folder = mkdtempSync(join(tmpdir(), 'svc-alerts-'))
  try {
    // All rules together would take seconds of a core.
    writeFileSync(join(folder, 'rules.yaml'), `groups:\n${records}  - name: alerts\n    rules:\n${text}`)
    const file = join(folder, 'scraped.test.yaml')
    const group_eval_order = records === '' ? ['alerts'] : ['slo', 'alerts']
    writeFileSync(
      file,
      JSON.stringify({ rule_files: ['rules.yaml'], evaluation_interval: at(1), group_eval_order, tests: [test] }),
    )
    const { path, env } = await serverBinary('promtool', join(tmpdir(), 'svc-promtool'), () => {})
    await promisify(execFile)(path, ['test', 'rules', file], { env: { ...systemEnvironment(), ...env } })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
