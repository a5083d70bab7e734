import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { serverBinary, systemEnvironment } from '@svc/servers'
import { inhibitions } from './inhibitions.ts'
import { groups, metricsIn } from './rules.ts'
import type { Series } from './slos.ts'

const run = promisify(execFile)
const RULES = join(import.meta.dirname, '../../../infra/prometheus/rules.yaml')

/** Seconds between two scrapes, and between two evaluations: those of the PodMonitor, and the default of the operator. */
export const STEP_SEC = 30

/** What a process exposes, every `STEP_SEC`, oldest first. */
export interface Scrapes {
  readonly name: string
  readonly texts: readonly string[]
  /** Unix time of the first one by the clock of the process. */
  readonly beganSec: number
  /** Series of others, such as the operator of Postgres, as values of a promtool test. */
  readonly more?: Series
  /** Scrapes at which the firing alerts are wanted, from 0. */
  readonly at: readonly number[]
}

/** Labels of an alert that fires, its name as `alertname`. */
type Firing = Readonly<Record<string, string>>

/** Metrics that any rule reads, and the bounds of those buckets that one reads. */
const expressions = groups().flatMap(({ rules }) => rules.map(({ expr }) => expr))
const READ = new Set(expressions.flatMap(metricsIn))
const BOUNDS = new Set(
  expressions.flatMap((expr) => [...expr.matchAll(/le="([^"]+)"/g)].map(([, bound = '']) => bound)),
)
const LINE = /^([a-z_]+)(\{.*\})? (\S+)$/
/** Promtool begins at the year 1970: points in time are moved there. */
const POINT_IN_TIME = /_(?:timestamp|at)_seconds$/

/** Returns the values of the series of a text that a rule reads, by series. */
function valuesIn(text: string, beganSec: number): ReadonlyMap<string, number> {
  const values = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [, metric = '', given = '', value] = LINE.exec(line) ?? []
    if (!READ.has(metric)) continue
    const labels = given.replace(/otel_scope_name="[^"]*",?/, '').replace(/,\}$/, '}')
    const bound = /le="([^"]+)"/.exec(labels)?.[1]
    if (bound !== undefined && !BOUNDS.has(bound)) continue
    values.set(metric + labels, Number(value) - (POINT_IN_TIME.test(metric) ? beganSec : 0))
  }
  return values
}

/** Returns the series of scrapes; a series that is missing in a scrape has no value there. */
function seriesOf({ texts, beganSec, more = {} }: Pick<Scrapes, 'texts' | 'beganSec' | 'more'>): Series {
  const scrapes = texts.map((text) => valuesIn(text, beganSec))
  const names = new Set(scrapes.flatMap((values) => [...values.keys()]))
  const own = [...names].map((name) => [name, scrapes.map((values) => values.get(name) ?? '_').join(' ')] as const)
  return { ...Object.fromEntries(own), ...more }
}

/** Returns the alerts of the shipped rules that fire at the wanted scrapes, by `name@scrape`. */
export async function firingAlerts(all: readonly Scrapes[]): Promise<ReadonlyMap<string, readonly Firing[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-rules-'))
  try {
    const file = join(folder, 'scrapes.json')
    const tests = all.map((scrapes) => {
      const series = Object.entries(seriesOf(scrapes)).map(([name, values]) => ({ series: name, values }))
      return {
        name: scrapes.name,
        interval: `${STEP_SEC}s`,
        input_series: series,
        // No sample is expected, so that those that there are get printed; the last one ends the output of each time.
        promql_expr_test: scrapes.at.map((at) => ({
          expr: `ALERTS{alertstate="firing"} or label_replace(vector(1), "end", "${scrapes.name}@${at}", "", "")`,
          eval_time: `${at * STEP_SEC}s`,
          exp_samples: [],
        })),
      }
    })
    writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: `${STEP_SEC}s`, tests }))
    const { path, env } = await serverBinary('promtool', join(tmpdir(), 'svc-promtool'), () => {})
    const printed = await run(path, ['test', 'rules', file], {
      env: { ...systemEnvironment(), ...env },
      maxBuffer: 64 * 1024 * 1024,
    }).then(
      () => '',
      (error: { readonly stdout?: string; readonly stderr?: string }) => `${error.stdout}${error.stderr}`,
    )
    const found = new Map<string, readonly Firing[]>()
    for (const [, got = ''] of printed.matchAll(/got:\s*(.*)/g)) {
      const end = /end="([^"]+)"/.exec(got)?.[1]
      if (end !== undefined)
        found.set(
          end,
          [...got.matchAll(/\{([^}]*alertname=[^}]*)\}/g)].map(([, one = '']) => labelsOf(one)),
        )
    }
    const missing = all.flatMap(({ name, at }) => at.map((one) => `${name}@${one}`)).filter((one) => !found.has(one))
    if (missing.length > 0)
      throw new Error(`promtool evaluated nothing for ${missing.join(', ')}: ${printed.slice(0, 2_000)}`)
    return found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const labelsOf = (text: string): Firing =>
  Object.fromEntries([...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [name, value]))

/** Returns the names of the alerts that reach a person: those that no other one silences, as Alertmanager decides it. */
export function heardOf(firing: readonly Firing[]): readonly string[] {
  const isSilenced = (one: Firing) =>
    inhibitions.some(
      ({ cause, follow, equal, of, slos }) =>
        follow.includes(one['alertname'] ?? '') &&
        (of === undefined || of.includes(one['service'] ?? '')) &&
        (slos === undefined || slos.includes(one['slo'] ?? '')) &&
        firing.some(
          (other) =>
            other !== one && other['alertname'] === cause && equal.every((label) => other[label] === one[label]),
        ),
    )
  return [...new Set(firing.filter((one) => !isSilenced(one)).map(({ alertname = '' }) => alertname))].sort()
}
