import { alerts } from './rules.ts'

/** While one alert fires, those that follow from it are silent: a person is called once, to the cause. */
export interface Inhibition {
  readonly cause: string
  readonly follow: readonly string[]
  /** Labels in which both must agree, such as the service; none: the cause is one for the whole platform. */
  readonly equal: readonly string[]
  /** Services of which alone those that follow are silent; default: all. */
  readonly of?: readonly string[]
  /** Levels of service whose budgets alone are silent; default: all. */
  readonly slos?: readonly string[]
}

/** Alerts on money and on attacks, which nothing may silence. */
export const NEVER_SILENT: readonly string[] = [
  'ForgedMessage',
  'LedgerImbalance',
  'LegMoneyOutWhileOff',
  'LegUnexplained',
  'LegUnsupported',
  'LiveUnexpected',
  'MoneyDeadLetter',
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
  'CollateralMoveStuck',
  'ConsumerPendingHigh',
  'DepositCursorStuck',
  'EventsRedelivered',
  'FollowOrderStuck',
  'HallStale',
  'LegOrderStuck',
  'LegTransferStuck',
  'MarkAgeHigh',
  'OutboxStuck',
  'OwnOrderStuck',
  'ReviewQueueOld',
  'SettleOverdue',
  'TransactionStuck',
  'VenueTransferStuck',
  'WorkerFailing',
  'WorkerStale',
] as const

/** What follows from a Postgres that answers nobody. */
const WITHOUT_POSTGRES = [
  ...STANDSTILL,
  'CallStuck',
  'ExchangeSilent',
  'NatsQuorumLost',
  'NoLeader',
  'PgArchiveFailing',
  'PgReplicationLag',
  'ServiceMissing',
  'VenueAnswerOld',
] as const

const BUDGETS = ['BudgetBurns', 'BudgetBurnsFast', 'BudgetBurnsSlowly'] as const
const WORKERS = ['WorkerFailing', 'WorkerStale'] as const

export const inhibitions: readonly Inhibition[] = [
  { cause: 'PostgresDown', follow: [...WITHOUT_POSTGRES, 'PostgresSilent'], equal: [] },
  { cause: 'PostgresSilent', follow: WITHOUT_POSTGRES, equal: [] },
  {
    cause: 'NatsSilent',
    follow: [...STANDSTILL, 'CallStuck', 'NatsQuorumLost', 'ServiceMissing', 'StreamFull', 'VenueAnswerOld'],
    equal: [],
  },
  { cause: 'RedisSilent', follow: [...BUDGETS, 'BoardStale', 'ExchangeSilent'], equal: [] },
  { cause: 'RedisSilent', follow: WORKERS, equal: [], of: ['gateway', 'identity', 'market-data'] },
  {
    cause: 'RpcSilent',
    follow: [...BUDGETS, 'ChainHeadLag', 'ChainSilent', 'DepositCursorStuck', 'MarkAgeHigh', 'TransactionStuck'],
    equal: [],
  },
  { cause: 'RpcSilent', follow: WORKERS, equal: [], of: ['chain-indexer', 'hl-leg', 'keeper', 'mandates'] },
  {
    cause: 'VenueAnswerOld',
    follow: [
      ...BUDGETS,
      'CollateralMoveStuck',
      'FollowOrderStuck',
      'LegOrderStuck',
      'LegTransferStuck',
      'MarkAgeHigh',
      'OwnOrderStuck',
      'VenueTransferStuck',
    ],
    equal: [],
  },
  { cause: 'VenueAnswerOld', follow: WORKERS, equal: [], of: ['hl-leg', 'hl-relay', 'hl-trade', 'keeper', 'mandates'] },
  { cause: 'ExchangeSilent', follow: ['BoardStale'], equal: [] },
  { cause: 'ExchangeSilent', follow: BUDGETS, equal: [], slos: ['board', 'scans'] },
  { cause: 'ExchangeSilent', follow: WORKERS, equal: [], of: ['market-data'] },
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
  inhibitions.map(({ cause, follow, equal, of, slos }) => {
    const unknown = [cause, ...follow].filter((name) => !alerts.some((alert) => alert.name === name))
    if (unknown.length > 0) throw new Error(`no alert is named ${unknown.join(', ')}`)
    return {
      source_matchers: [`alertname="${cause}"`],
      target_matchers: [
        `alertname=~"${follow.join('|')}"`,
        ...(of === undefined ? [] : [`service=~"${of.join('|')}"`]),
        ...(slos === undefined ? [] : [`slo=~"${slos.join('|')}"`]),
      ],
      ...(equal.length === 0 ? {} : { equal }),
    }
  })
