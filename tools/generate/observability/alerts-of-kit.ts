import type { Alert } from './alert.ts'

const counted = (metric: string, labels: string, minutes: number) =>
  `sum by (service) (increase(${metric}{${labels}}[${minutes}m])) > 0`

/** Condition that a counter has grown within some minutes, or was not there before. */
const grewOrBorn = (by: string, series: string, minutes: number) =>
  `sum by (${by}) (increase(${series}[${minutes}m])) > 0 or sum by (${by}) (${series} > 0 unless ${series} offset ${minutes}m)`

const alarmed = (name: string, alarm: string, severity: Alert['severity'], summary: string): Alert => ({
  name,
  severity,
  summary,
  expr: grewOrBorn('subject', `hub_alarms_total{alarm="${alarm}"}`, 15),
  minutes: 0,
})

/** An alert on open dead letters. A restart of the process that counts them ends no alert. */
const letters = (name: string, money: string, severity: Alert['severity'], summary: string): Alert => ({
  name,
  severity,
  summary,
  expr: `max by (service, consumer) (max_over_time(hub_dead_letters{money="${money}"}[5m])) > 0`,
  minutes: 0,
})

const LAST = 'max by (service, worker) (hub_worker_last_success_timestamp_seconds)'
const EVERY = 'max by (service, worker) (hub_worker_interval_seconds)'
const LEADS = 'max by (service) (hub_leader_since_timestamp_seconds)'

/** Alerts on what every service does: it leads, runs jobs, publishes and consumes. `services` are all their names. */
export const alertsOfKit = (services: readonly string[]): readonly Alert[] => [
  {
    name: 'ServiceMissing',
    severity: 'page',
    summary: 'No process of a service is running',
    expr: services.map((name) => `absent(hub_bus_problems_total{service="${name}",kind="error"})`).join(' or '),
    minutes: 3,
  },
  {
    name: 'NoLeader',
    severity: 'page',
    summary: 'No process leads the schema of a service: its jobs do not run and its events are not published',
    expr: 'sum by (service) (hub_leader) == 0',
    minutes: 2,
  },
  {
    name: 'WorkerStale',
    severity: 'page',
    summary: 'A worker has not succeeded for three of its intervals and a minute',
    expr: `time() - (${LAST} or (${EVERY} * 0 + on (service) group_left () ${LEADS})) > 3 * ${EVERY} + 60`,
    minutes: 1,
  },
  {
    name: 'WorkerFailing',
    severity: 'page',
    summary: 'A worker fails in every run',
    expr: 'sum by (service, worker) (increase(hub_worker_ticks_total{outcome="failed"}[15m])) > 2 unless sum by (service, worker) (increase(hub_worker_ticks_total{outcome="ok"}[15m])) > 0',
    minutes: 0,
  },
  alarmed(
    'SchemaBehind',
    'schema_behind',
    'page',
    'A release runs before its migrations: calls that need them answer 503',
  ),
  alarmed('ForgedMessage', 'forged_message', 'page', 'A message on NATS is not what its sender may send'),
  letters(
    'MoneyDeadLetter',
    'true',
    'page',
    'A payout, credit, debit, transfer or entry of the record was not made: its event fails, and is tried again',
  ),
  letters('DeadLetter', 'false', 'ticket', 'A service could not process an event and has put it aside'),
  {
    name: 'ConsumerMissing',
    severity: 'page',
    summary: 'A consumer of events is missing or not as the contracts say: what it does not read is lost',
    expr: 'max by (stream, consumer) (hub_consumer_missing) > 0',
    minutes: 0,
  },
  {
    name: 'StreamMissing',
    severity: 'page',
    summary: 'A stream of events or files is missing or not as the contracts say: what it carries is lost or refused',
    expr: 'max by (stream) (hub_stream_missing) > 0',
    minutes: 0,
  },
  alarmed('StreamFull', 'stream_full', 'page', 'A stream refuses events: whatever they announce is delayed'),
  alarmed(
    'LegMoneyOutWhileOff',
    'leg_money_out_while_off',
    'page',
    'The leg is switched off while money of mandates is at the venue',
  ),
  alarmed('LegUnexplained', 'leg_unexplained', 'page', 'Nothing explains what the account of a leg holds'),
  alarmed('LegUnsupported', 'leg_unsupported', 'page', 'The account of a leg left the standard mode'),
  alarmed('VenueChanged', 'venue_changed', 'page', 'Many legs became unexplained at once: the venue changed'),
  alarmed(
    'VenueRowUnknown',
    'venue_row_unknown',
    'page',
    "The venue's history has a row that cannot be judged, the first of its type on a day",
  ),
  {
    name: 'StreamFilling',
    severity: 'page',
    summary: 'A stream has used more than 80 % of its room',
    expr: 'max by (stream) (hub_stream_fill_ratio) > 0.8',
    minutes: 5,
  },
  {
    name: 'OutboxStuck',
    severity: 'page',
    summary: 'Events of a service wait longer than a minute to be published',
    expr: 'max by (service) (hub_outbox_oldest_age_seconds) > 60',
    minutes: 2,
  },
  {
    name: 'ConsumerPendingHigh',
    severity: 'page',
    summary: 'More than a thousand events wait for a consumer',
    expr: 'max by (stream, consumer) (hub_consumer_pending) > 1000',
    minutes: 10,
  },
  {
    name: 'EventsRedelivered',
    severity: 'ticket',
    summary: 'A consumer keeps failing: its events are delivered again and again',
    expr: 'sum by (subject) (increase(hub_consumer_redelivered_total[30m])) > 100',
    minutes: 0,
  },
  {
    name: 'CallStuck',
    severity: 'ticket',
    summary: 'A call that holds an idempotency key has run for two minutes',
    expr: 'max by (service) (hub_idempotency_inflight_age_seconds) > 120',
    minutes: 1,
  },
  {
    name: 'SwitchFileInvalid',
    severity: 'ticket',
    summary: 'The text of a switch cannot be used: its last valid value stays in force',
    expr: grewOrBorn('setting', 'hub_switch_file_invalid_total', 30),
    minutes: 0,
  },
  {
    name: 'PermissionViolation',
    severity: 'ticket',
    summary: 'A service did on NATS what its permissions do not allow: a release without its permissions, or an attack',
    expr: counted('hub_bus_problems_total', 'kind="permission"', 15),
    minutes: 0,
  },
  {
    name: 'NatsQuorumLost',
    severity: 'page',
    summary: 'JetStream answers no service: events wait in the outboxes',
    expr: 'count(sum by (service) (increase(hub_worker_ticks_total{worker="lag",outcome="ok"}[5m])) == 0) > 2',
    minutes: 1,
  },
  {
    name: 'LiveUnexpected',
    severity: 'page',
    summary: 'A worker acts that should run dry',
    expr: 'max by (worker) (hub_dry_run) == 0 unless on (worker) hub_live_expected == 1',
    minutes: 5,
  },
  {
    name: 'DryRunUnexpected',
    severity: 'page',
    summary: 'A worker runs dry that should act',
    expr: 'max by (worker) (hub_dry_run) == 1 and on (worker) hub_live_expected == 1',
    minutes: 5,
  },
]
