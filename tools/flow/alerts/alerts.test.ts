import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually, opened } from '@svc/testing'
import { expectBurns, expectFires, hasMetricsOf, type Scrape } from '@svc/testing/alerts'
import { afterAll, describe, expect, test } from 'vitest'
import { alerts } from '../../generate/observability/rules.ts'
import { slos } from '../../generate/observability/slos.ts'
import { ALERT_OF, QUORUM_ALERT } from '../silence/alert-of.ts'
import { scenes } from './occurrences.ts'
import { recordedByDeployment } from '../silence/production.ts'
import { alertStack, startAround } from './rig.ts'

/** Alerts whose series are written by hand, with the reason. No other alert may have such series. */
const INVENTED: Readonly<Record<string, string>> = {
  PostgresDown: 'of the exporter of CloudNativePG, which does not run here; named after its documentation',
  PgConnectionsHigh: 'of the exporter of CloudNativePG, which does not run here; named after its documentation',
  PgLongTransaction: 'of the exporter of CloudNativePG, which does not run here; named after its documentation',
  PgReplicationLag: 'of the exporter of CloudNativePG, which does not run here; named after its documentation',
  PgArchiveFailing: 'of the exporter of CloudNativePG, which does not run here; named after its documentation',
  CertificateExpiry: 'of cert-manager, which does not run here; named after its documentation',
}

const stack = opened(alertStack)

/** Adds the series that rules of the deployment record. */
const withRecorded = ({ atMs, series }: Scrape): Scrape => ({
  atMs,
  series: new Map([...series, ...recordedByDeployment.map((name) => [name, '1'] as const)]),
})

describe.each(scenes)('$service', ({ service, environment = {}, occurrences }) => {
  let rig: Awaited<ReturnType<typeof startAround>> | null = null
  afterAll(() => rig?.stop())

  test.each(occurrences)(
    '$alert fires at its first occurrence and is silent before',
    async ({ alert, burns = [], given, before, happen, after, minutes, mend }) => {
      const { around } = (rig ??= await startAround(stack, service, environment))
      /** What is exposed now, and after more of the same. */
      const scrapes = async (more?: typeof before) => {
        const first = withRecorded(await around.scrape())
        if (more === undefined) return [first]
        await more(around)
        return [first, withRecorded(await around.scrape())]
      }
      await given?.(around)
      const ofBefore = await eventually(async () => {
        const found = await scrapes(before)
        for (const one of found) expect(hasMetricsOf(alert, one)).toBe(true)
        return found
      })
      await happen(around)
      const sides = async () => ({ before: ofBefore, after: await scrapes(after) })
      const judged = burns.map((slo) => async () => expectBurns(slo, await sides()))
      // What burns by its level of service need not burn by any.
      if (alert !== 'BudgetBurnsFast' || burns.length === 0)
        judged.unshift(async () => expectFires(alert, { ...(await sides()), minutes: minutes ?? 0 }))
      for (const judge of judged) await eventually(judge, { everyMs: 1_000 })
      await mend?.(around)
    },
  )
})

test('the budget of each level of service burns by scrapes before and after one event, in exactly one kind of test', () => {
  const inScenes = scenes.flatMap(({ occurrences }) => occurrences.flatMap(({ burns = [] }) => burns))
  expect([...inScenes, ...named(/\bexpectBurns\('(\w+)'/g)].sort()).toEqual(slos.map(({ name }) => name).sort())
})

/** What the tests of services name in calls of a function, each once. */
function named(calls: RegExp): ReadonlySet<string> {
  const root = join(import.meta.dirname, '../../..')
  const paths = globSync('{packages,services,tools}/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] })
  const texts = paths.map((path) => readFileSync(join(root, path), 'utf8'))
  return new Set(texts.flatMap((text) => [...text.matchAll(calls)].map(([, name = '']) => name)))
}

test('each alert is judged by scrapes before and after one event in exactly one kind of test, or has invented series and a reason', () => {
  const inTests = named(/\bexpectFires\('(\w+)'/g)
  const inScenes = new Set(scenes.flatMap(({ occurrences }) => occurrences.map(({ alert }) => alert)))
  const scraped = [...inScenes, ...inTests, ...Object.values(ALERT_OF), QUORUM_ALERT]
  const invented = alerts.filter(({ fires }) => fires !== undefined).map(({ name }) => name)
  expect(invented.sort()).toEqual(Object.keys(INVENTED).sort())
  expect(alerts.map(({ name }) => name).sort()).toEqual([...scraped, ...invented].sort())
})
