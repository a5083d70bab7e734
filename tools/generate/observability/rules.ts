import { contracts } from '@svc/contracts/all'
import type { Alert } from './alert.ts'
import { alertsOfDependencies } from './alerts-of-dependencies.ts'
import { alertsOfKit } from './alerts-of-kit.ts'
import { alertsOfPlatform, alertsOfProduct } from './alerts-of-product.ts'
import { teamOf } from './teams.ts'
import { burns, slos, WINDOWS, type Series } from './slos.ts'

interface Rule {
  readonly expr: string
  readonly record?: string
  readonly alert?: string
  readonly for?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}
interface Group {
  readonly name: string
  readonly rules: readonly Rule[]
}

const errorsOver = (window: string) => `slo:errors:ratio_rate${window}`
const shorten = (share: number) => String(Number(share.toPrecision(3)))

/** Records the share of errors of each level of service over each window, and its budget. */
const records = (): Rule[] =>
  slos.flatMap(({ name, objective, errors, isBad }) => [
    { record: 'slo:budget', expr: `vector(${shorten(1 - objective)})`, labels: { slo: name } },
    ...(isBad === undefined ? [] : [{ record: 'slo:bad', expr: isBad, labels: { slo: name } }]),
    ...WINDOWS.map((window) => ({ record: errorsOver(window), expr: errors(window), labels: { slo: name } })),
  ])

const burning = (window: string, times: number) => `${errorsOver(window)} > on (slo) ${times} * slo:budget`

/** Alerts on budgets. */
const burnAlerts: readonly Alert[] = burns.map(({ alert, severity, times, long, short, title }) => ({
  name: alert,
  severity,
  summary: `At this pace a level of service has spent its budget of thirty days ${title}`,
  expr: `${burning(long, times)} and on (slo) ${burning(short, times)}`,
  minutes: 2,
}))

/** All alerts. */
export const alerts: readonly Alert[] = [
  ...burnAlerts,
  ...alertsOfKit(contracts.map(({ name }) => name)),
  ...alertsOfProduct,
  ...alertsOfPlatform,
  ...alertsOfDependencies,
]

/**
 * The address of a runbook. Prometheus knows where this release's `docs/runbooks` is published by its external label `runbooks`; without it
 * the path in the repository.
 */
const runbookOf = (name: string) =>
  `{{ with $externalLabels.runbooks }}{{ . }}{{ else }}docs/runbooks{{ end }}/${name}.md`

const alertRule = ({ name, severity, summary, expr, minutes }: Alert): Rule => ({
  alert: name,
  expr,
  for: `${minutes}m`,
  labels: { severity, team: teamOf({ name, expr }) },
  annotations: { summary, runbook_url: runbookOf(name) },
})

/** The rules of Prometheus. */
export const groups = (): readonly Group[] => [
  { name: 'slo', rules: records() },
  { name: 'alerts', rules: alerts.map(alertRule) },
]

/** What one test expects of an alert at a minute. */
interface Expectation {
  readonly series: Series
  readonly at: number
  readonly alert: string
  readonly fires: boolean
}

const firing = ({ alert }: Expectation) =>
  `clamp_max(count(ALERTS{alertname="${alert}",alertstate="firing"}), 1) or vector(0)`

const metricOf = (series: string) => series.replace(/\{.*/, '')

/** Puts expectations whose series have no metric in common into one test: each test costs promtool a database. */
function packed(expectations: readonly Expectation[]): readonly (readonly Expectation[])[] {
  const packs: { readonly taken: Set<string>; readonly held: Expectation[] }[] = []
  for (const one of expectations) {
    const metrics = Object.keys(one.series).map(metricOf)
    const free = packs.find(({ taken }) => metrics.every((metric) => !taken.has(metric)))
    const pack = free ?? { taken: new Set<string>(), held: [] }
    if (free === undefined) packs.push(pack)
    for (const metric of metrics) pack.taken.add(metric)
    pack.held.push(one)
  }
  return packs.map(({ held }) => held)
}

const testOf = (held: readonly Expectation[]): object => ({
  name: held.map(({ alert, fires }) => `${alert} ${fires ? 'fires' : 'is silent'}`).join(', '),
  interval: '1m',
  input_series: held.flatMap(({ series }) =>
    Object.entries(series).map(([name, values]) => ({ series: name, values })),
  ),
  promql_expr_test: held.map((one) => ({
    expr: firing(one),
    eval_time: `${one.at}m`,
    exp_samples: [{ labels: '{}', value: Number(one.fires) }],
  })),
})

const both = (of: Omit<Expectation, 'series' | 'fires'>, fires?: Series, stays?: Series): readonly Expectation[] =>
  fires === undefined || stays === undefined
    ? []
    : [
        { ...of, series: fires, fires: true },
        { ...of, series: stays, fires: false },
      ]

/** Tests of promtool: each alert with series of its own fires on one set and is silent on another. */
export const ruleTests = (): object => ({
  rule_files: ['rules.yaml'],
  evaluation_interval: '5m',
  group_eval_order: groups().map(({ name }) => name),
  tests: packed(alerts.flatMap(({ name, fires, stays, at = 60 }) => both({ alert: name, at }, fires, stays))).map(
    testOf,
  ),
})

/** Returns the names of the metrics that an expression reads. */
export const metricsIn = (expr: string): readonly string[] =>
  [...expr.replaceAll(/"[^"]*"/g, '').matchAll(/\b((?:hub|cherry|slo|cnpg|certmanager)[_:][a-z0-9_:]+)/g)].map(
    ([, name = '']) => name,
  )
