import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '@svc/contract'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Series } from '#generate/observability/slos.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../../k8s', path), 'utf8')

const overlay = z.looseObject({
  configMapGenerator: z.array(z.looseObject({ name: z.string(), literals: z.array(z.string()) })),
})
const switches = z.looseObject({ data: z.record(z.string(), z.string()) })
const expected = z.looseObject({
  spec: z.object({
    groups: z.array(
      z.object({ rules: z.array(z.object({ record: z.string(), labels: z.record(z.string(), z.string()) })) }),
    ),
  }),
})

const settingsIn = (lines: readonly string[]): Environment =>
  Object.fromEntries(lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2)))

/** Settings that the production overlay gives to every process. */
export const productionSettings: Environment = {
  ...settingsIn(read('base/platform.env').split('\n')),
  ...settingsIn(
    overlay
      .parse(parse(read('overlays/production/kustomization.yaml')))
      .configMapGenerator.filter(({ name }) => name === 'platform')
      .flatMap(({ literals }) => literals),
  ),
}

/** Texts of the switch files of production, by name. */
export const productionSwitches: Readonly<Record<string, string>> = switches.parse(
  parse(read('components/switches/switches.yaml')),
).data

/** Series that rules of a fresh deployment record, each with the value 1: which workers shall act. */
export const recordedByDeployment: readonly string[] = expected
  .parse(parse(read('components/prometheus/expected-live.yaml')))
  .spec.groups.flatMap(({ rules }) => rules.map(({ record, labels }) => `${record}{worker="${labels['worker']}"}`))

/** Series that the cluster has beside those of the services: a Postgres that works, and which workers shall act. */
export const seriesOfCluster: Series = Object.fromEntries([
  ['cnpg_collector_up{pod="postgres-1"}', '1x400'],
  ...recordedByDeployment.map((series) => [series, '1x400']),
])
