import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually, opened } from '@svc/testing'
import { expectFires, hasMetricsOf } from '@svc/testing/alerts'
import { afterAll, describe, expect, test } from 'vitest'
import { alerts } from '../../generate/observability/rules.ts'
import { ALERT_OF } from '../silence/alert-of.ts'
import { scenes } from './occurrences.ts'
import { alertStack, scrape, startAround } from './rig.ts'

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

describe.each(scenes)('$service', ({ service, environment = {}, occurrences }) => {
  let rig: Awaited<ReturnType<typeof startAround>> | null = null
  afterAll(() => rig?.stop())

  test.each(occurrences)(
    '$alert fires at its first occurrence and is silent before',
    async ({ alert, given, happen, minutes, mend }) => {
      const { port, around } = (rig ??= await startAround(stack, service, environment))
      await given?.(around)
      const before = await eventually(async () => {
        const found = await scrape(port)
        expect(hasMetricsOf(alert, found)).toBe(true)
        return [found]
      })
      await happen(around)
      await eventually(async () => expectFires(alert, { before, after: [await scrape(port)], minutes }), {
        everyMs: 1_000,
      })
      await mend?.(around)
    },
  )
})

test('each alert is judged by scrapes before and after one event in exactly one kind of test, or has invented series and a reason', () => {
  const root = join(import.meta.dirname, '../../..')
  const inTests = globSync('{packages,services,tools}/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .flatMap((text) => [...text.matchAll(/\bexpectFires\('(\w+)'/g)].map(([, alert = '']) => alert))
  const inScenes = scenes.flatMap(({ occurrences }) => occurrences.map(({ alert }) => alert))
  const scraped = [...inScenes, ...new Set(inTests), ...Object.values(ALERT_OF)]
  const invented = alerts.filter(({ fires }) => fires !== undefined).map(({ name }) => name)
  expect(invented.sort()).toEqual(Object.keys(INVENTED).sort())
  expect(alerts.map(({ name }) => name).sort()).toEqual([...scraped, ...invented].sort())
})
