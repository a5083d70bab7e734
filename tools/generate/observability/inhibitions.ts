import { alerts } from './rules.ts'

/** While one alert fires, those that follow from it are silent: a person is called once, to the cause. */
export interface Inhibition {
  readonly cause: string
  readonly follow: readonly string[]
  /** Labels in which both must agree, such as the service; none: the cause is one for the whole platform. */
  readonly equal: readonly string[]
}

/** Alerts on money and on attacks, which nothing may silence. */
export const NEVER_SILENT: readonly string[] = [
  'ForgedMessage',
  'LedgerImbalance',
  'LegMoneyOutWhileOff',
  'LegUnexplained',
  'LegUnsupported',
  'LiveUnexpected',
  'PermissionViolation',
  'SchemaBehind',
  'SeedFingerprintMismatch',
  'StopLineNoSeed',
  'StopLineTransient',
  'StreamMissing',
]

/** What a stop of all work brings about sooner or later, whatever stopped it. */
const STANDSTILL = [
  'ApprovalsExpiring',
  'BoardStale',
  'BudgetBurns',
  'BudgetBurnsFast',
  'BudgetBurnsSlowly',
  'ChainHeadLag',
  'ConsumerPendingHigh',
  'DepositCursorStuck',
  'EventsRedelivered',
  'HallStale',
  'LegTransferStuck',
  'MarkAgeHigh',
  'OutboxStuck',
  'ReviewQueueOld',
  'SettleOverdue',
  'TransactionStuck',
  'WorkerFailing',
  'WorkerStale',
] as const

export const inhibitions: readonly Inhibition[] = [
  {
    cause: 'PostgresDown',
    follow: [
      ...STANDSTILL,
      'CallStuck',
      'NatsQuorumLost',
      'NoLeader',
      'PgArchiveFailing',
      'PgReplicationLag',
      'ServiceMissing',
      'VenueAnswerOld',
    ],
    equal: [],
  },
  { cause: 'NatsQuorumLost', follow: [...STANDSTILL, 'StreamFull'], equal: [] },
  {
    cause: 'ChainSilent',
    follow: ['ChainHeadLag', 'DepositCursorStuck', 'MarkAgeHigh', 'TransactionStuck'],
    equal: [],
  },
  { cause: 'ServiceMissing', follow: ['NoLeader', 'OutboxStuck', 'WorkerStale'], equal: ['service'] },
  { cause: 'NoLeader', follow: ['OutboxStuck', 'WorkerStale'], equal: ['service'] },
  { cause: 'StreamMissing', follow: ['ConsumerMissing'], equal: ['stream'] },
  { cause: 'BudgetBurnsFast', follow: ['BudgetBurns', 'BudgetBurnsSlowly'], equal: ['slo'] },
  { cause: 'BudgetBurns', follow: ['BudgetBurnsSlowly'], equal: ['slo'] },
]

/** The rules of inhibition as Alertmanager reads them. Throws for a name that no alert has. */
export const inhibitRules = (): readonly object[] =>
  inhibitions.map(({ cause, follow, equal }) => {
    const unknown = [cause, ...follow].filter((name) => !alerts.some((alert) => alert.name === name))
    if (unknown.length > 0) throw new Error(`no alert is named ${unknown.join(', ')}`)
    return {
      source_matchers: [`alertname="${cause}"`],
      target_matchers: [`alertname=~"${follow.join('|')}"`],
      ...(equal.length === 0 ? {} : { equal }),
    }
  })
