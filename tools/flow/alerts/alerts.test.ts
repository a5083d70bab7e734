import { eventually, opened } from '@svc/testing'
import { afterAll, describe, expect, test } from 'vitest'
import type { Alert } from '../../generate/observability/alert.ts'
import { alerts } from '../../generate/observability/rules.ts'
import { scenes } from './occurrences.ts'
import { alertStack, startAround } from './rig.ts'
import { hasMetricsOf, judge, scrape } from './scrape.ts'

/** Alerts on metrics of others: their exporters do not run here, so their series are written by hand. */
const FOREIGN: Readonly<Record<string, string>> = {
  PostgresDown: 'CloudNativePG',
  PgConnectionsHigh: 'CloudNativePG',
  PgLongTransaction: 'CloudNativePG',
  PgReplicationLag: 'CloudNativePG',
  PgArchiveFailing: 'CloudNativePG',
  CertificateExpiry: 'cert-manager',
  LiveUnexpected: 'hub_live_expected is recorded by a rule of the deployment',
  DryRunUnexpected: 'hub_live_expected is recorded by a rule of the deployment',
}

/** Alerts whose series are still written by hand, with what a scrape of one fresh process cannot show yet. */
const INVENTED: Readonly<Record<string, string>> = {
  PostgresSilent: 'the flow of silent systems judges its scrapes',
  NatsSilent: 'the flow of silent systems judges its scrapes',
  RedisSilent: 'the flow of silent systems judges its scrapes',
  RpcSilent: 'the flow of silent systems judges its scrapes',
  ExchangeSilent: 'the flow of silent systems judges its scrapes',
  BudgetBurnsFast: 'an hour of requests',
  BudgetBurns: 'six hours of requests',
  BudgetBurnsSlowly: 'three days of requests',
  ServiceMissing: 'the processes of all services',
  ProxyUntrusted: 'ten minutes of forwarded requests',
  NatsQuorumLost: 'the processes of three services',
  WorkerStale: 'the clock of promtool begins in 1970',
  BoardStale: 'the clock of promtool begins in 1970',
  HallStale: 'the clock of promtool begins in 1970',
  WorkerFailing: 'no success within a quarter of an hour',
  DepositCursorStuck: 'a cursor that moves for a quarter of an hour',
  CallStuck: 'a call of two minutes',
  ConsumerPendingHigh: 'a thousand events',
  PermissionViolation: 'a NATS whose permissions change under the process',
  NatsSlowConsumer: 'a process that reads too slowly',
  ChainHeadLag: 'a chain',
  ChainSilent: 'a chain',
  ChainAhead: 'a chain',
  GasDripFundingLow: 'a chain',
  MarkAgeHigh: 'vaults on a chain',
  VenueAnswerOld: 'two minutes in which the venue is silent',
  VenueContradictsItself: 'orders at the venue',
  VenueRowUnknown: 'a leg at the venue',
  VenueChanged: 'legs at the venue',
  LegUnexplained: 'a leg at the venue',
  LegUnsupported: 'a leg at the venue',
  LegMoneyOutWhileOff: 'leg money, and keeper and chain-indexer beside hl-leg',
}

const stack = opened(alertStack)
const named = (name: string): Alert =>
  alerts.find((one) => one.name === name) ?? expect.fail(`no alert is named ${name}`)

describe.each(scenes)('$service', ({ service, environment = {}, occurrences }) => {
  let rig: Awaited<ReturnType<typeof startAround>> | null = null
  afterAll(() => rig?.stop())

  test.each(occurrences)(
    '$alert fires at its first occurrence and is silent before',
    async ({ alert: name, happen, mend }) => {
      const alert = named(name)
      const { port, around } = (rig ??= await startAround(stack, service, environment))
      const before = await eventually(async () => {
        const found = await scrape(port)
        expect(hasMetricsOf(alert, found)).toBe(true)
        return found
      })
      await happen(around)
      await eventually(async () => judge(alert, before, await scrape(port)), { everyMs: 1_000 })
      await mend?.(around)
    },
  )
})

test('an alert has invented series if and only if no scrape shows it, and a reason', () => {
  const scraped = scenes.flatMap(({ occurrences }) => occurrences.map(({ alert }) => alert))
  const invented = alerts.filter(({ fires }) => fires !== undefined).map(({ name }) => name)
  expect(new Set(scraped).size).toBe(scraped.length)
  expect(invented.filter((name) => scraped.includes(name))).toEqual([])
  expect(alerts.map(({ name }) => name).sort()).toEqual([...scraped, ...invented].sort())
  expect(invented.sort()).toEqual([...Object.keys(FOREIGN), ...Object.keys(INVENTED)].sort())
})
