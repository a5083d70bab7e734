import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { serverBinary, systemEnvironment } from '@svc/servers'
import { stringify } from 'yaml'
import type { Alert } from '../../generate/observability/alert.ts'
import { groups, metricsIn } from '../../generate/observability/rules.ts'

/** Values by series, as a process showed them. */
export type Scrape = ReadonlyMap<string, string>

/** Seconds between two scrapes of Prometheus, and how many show the time before the event: more than any window of an alert on counts. */
const STEP_SEC = 15
const BEFORE_STEPS = 80

/** Reads the metrics of a process. */
export async function scrape(port: number): Promise<Scrape> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return new Map(
    text.split('\n').flatMap((line) => {
      const [, series = '', value = ''] = /^([a-z_:]+(?:\{.*\})?) (\S+)$/.exec(line) ?? []
      return series === '' ? [] : [[series, value] as const]
    }),
  )
}

const nameOf = (series: string) => series.replace(/\{.*/, '')

/** Returns the series of a scrape that an alert reads. */
const readBy = ({ expr }: Alert, found: Scrape): Scrape => {
  const names = new Set(metricsIn(expr))
  return new Map([...found].filter(([series]) => names.has(nameOf(series))))
}

/** Whether a scrape has each metric that an alert reads. */
export const hasMetricsOf = (alert: Alert, found: Scrape): boolean => {
  const names = new Set([...readBy(alert, found).keys()].map(nameOf))
  return metricsIn(alert.expr).every((name) => names.has(name))
}

/** The series of promtool: what was not there yet has no value, what is gone is stale. */
function seriesOf(before: Scrape, after: Scrape, afterSteps: number): object[] {
  return [...new Set([...before.keys(), ...after.keys()])].map((series) => {
    const first = before.has(series) ? `${before.get(series)}x${BEFORE_STEPS - 1}` : `_x${BEFORE_STEPS}`
    const then = after.has(series) ? `${after.get(series)}x${afterSteps - 1}` : 'stale'
    return { series, values: `${first} ${then}` }
  })
}

/**
 * Has promtool evaluate the shipped rule of an alert over two scrapes of a process, one before and one after an event, each repeated
 * every 15 s. Throws unless the alert is silent until the event, and fires once it has held for its minutes.
 */
export async function judge(alert: Alert, before: Scrape, after: Scrape): Promise<void> {
  const [first, then] = [readBy(alert, before), readBy(alert, after)]
  if (stringify(first) === stringify(then)) throw new Error(`nothing that ${alert.name} reads has changed`)
  const holdSteps = (alert.minutes * 60) / STEP_SEC
  const firing = `count(ALERTS{alertname="${alert.name}",alertstate="firing"}) or vector(0)`
  const at = (steps: number) => `${steps * STEP_SEC}s`
  const [isSilent, fires] = [BEFORE_STEPS - 1, BEFORE_STEPS + holdSteps + 1]
  const test = {
    interval: at(1),
    input_series: seriesOf(first, then, holdSteps + 2),
    promql_expr_test: [
      { expr: firing, eval_time: at(isSilent), exp_samples: [{ labels: '{}', value: 0 }] },
      { expr: `clamp_max(${firing}, 1)`, eval_time: at(fires), exp_samples: [{ labels: '{}', value: 1 }] },
    ],
  }
  const folder = mkdtempSync(join(tmpdir(), 'svc-alerts-'))
  try {
    // All rules together would take seconds of a core.
    const own = groups().flatMap(({ rules }) => rules.filter((rule) => rule.alert === alert.name))
    writeFileSync(join(folder, 'rules.yaml'), stringify({ groups: [{ name: 'alerts', rules: own }] }))
    const file = join(folder, 'scraped.test.yaml')
    writeFileSync(file, stringify({ rule_files: ['rules.yaml'], evaluation_interval: at(1), tests: [test] }))
    const { path, env } = await serverBinary('promtool', join(tmpdir(), 'svc-promtool'), () => {})
    await promisify(execFile)(path, ['test', 'rules', file], { env: { ...systemEnvironment(), ...env } })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
