import { slos } from './slos.ts'

/** A panel: its title, unit and queries, each with the text of its legend. */
interface Panel {
  readonly title: string
  /** Grafana's name of the unit. */
  readonly unit: string
  readonly queries: readonly (readonly [expr: string, legend: string])[]
  /** Name of the runbook to which the panel links. */
  readonly runbook?: string
}
interface Dashboard {
  readonly uid: string
  readonly title: string
  readonly panels: readonly Panel[]
}

const panel = (title: string, unit: string, query: readonly [string, string], runbook?: string): Panel => ({
  title,
  unit,
  queries: [query],
  ...(runbook === undefined ? {} : { runbook }),
})
const rate = (metric: string, by: string) => `sum by (${by}) (rate(${metric}[5m]))`
const p95 = (metric: string, by: string) => `histogram_quantile(0.95, sum by (le, ${by}) (rate(${metric}_bucket[5m])))`

const HTTP = 'hub_http_request_duration_seconds'
const BUS = 'hub_bus_request_duration_seconds'

/** The dashboards of the platform. */
export const dashboards: readonly Dashboard[] = [
  {
    uid: 'slo',
    title: '1 Levels of service',
    panels: [
      panel('Budget spent in thirty days at this pace, by level', 'percentunit', [
        'slo:errors:ratio_rate6h / on (slo) slo:budget',
        '{{slo}}',
      ]),
      ...slos.map(({ name, title }) =>
        panel(title, 'percentunit', [`1 - slo:errors:ratio_rate1h{slo="${name}"}`, name], 'BudgetBurnsFast'),
      ),
    ],
  },
  {
    uid: 'api',
    title: '2 Gateway and API',
    panels: [
      panel('Requests', 'reqps', [rate(`${HTTP}_count`, 'route'), '{{route}}']),
      panel('Failures', 'reqps', [rate('hub_http_errors_total', 'code'), '{{code}}'], 'BudgetBurnsFast'),
      panel('Time of 95 %', 's', [p95(HTTP, 'route'), '{{route}}']),
      panel('Paid, 402', 'reqps', [rate(`${HTTP}_count{status="402"}`, 'route'), '{{route}}']),
      panel('Pending, 202', 'reqps', [rate(`${HTTP}_count{status="202"}`, 'route'), '{{route}}']),
      panel('Over their allowance, 429', 'reqps', [
        rate('hub_rate_limited_total', 'policy, tier'),
        '{{policy}} {{tier}}',
      ]),
    ],
  },
  {
    uid: 'bus',
    title: '3 Bus and streams',
    panels: [
      panel('Requests among services', 'reqps', [rate(`${BUS}_count`, 'operation'), '{{operation}}']),
      panel('Failures', 'reqps', [rate(`${BUS}_count{status=~"5.."}`, 'operation'), '{{operation}}']),
      panel('Time of 95 %', 's', [p95(BUS, 'operation'), '{{operation}}']),
      panel('Events', 'ops', [rate('hub_events_total', 'subject, outcome'), '{{subject}} {{outcome}}']),
      panel(
        'Events that wait to be published',
        'short',
        ['max by (service) (hub_outbox_pending)', '{{service}}'],
        'OutboxStuck',
      ),
      panel(
        'Age of the oldest',
        's',
        ['max by (service) (hub_outbox_oldest_age_seconds)', '{{service}}'],
        'OutboxStuck',
      ),
      panel(
        'Events that wait for a consumer',
        'short',
        ['max by (stream, consumer) (hub_consumer_pending)', '{{stream}} {{consumer}}'],
        'ConsumerPendingHigh',
      ),
      panel(
        'Delivered again',
        'ops',
        [rate('hub_consumer_redelivered_total', 'subject'), '{{subject}}'],
        'EventsRedelivered',
      ),
      panel('Time from an event to its effect, 95 %', 's', [p95('hub_event_delay_seconds', 'service'), '{{service}}']),
      panel(
        'Room used in streams',
        'percentunit',
        ['max by (stream) (hub_stream_fill_ratio)', '{{stream}}'],
        'StreamFilling',
      ),
      panel(
        'Problems of connections',
        'ops',
        [rate('hub_bus_problems_total', 'service, kind'), '{{service}} {{kind}}'],
        'PermissionViolation',
      ),
      panel('Messages that are invalid', 'ops', [rate('hub_alarms_total', 'alarm'), '{{alarm}}'], 'ForgedMessage'),
    ],
  },
  {
    uid: 'workers',
    title: '4 Workers and switches',
    panels: [
      panel(
        'Time since the last success',
        's',
        ['time() - max by (service, worker) (hub_worker_last_success_timestamp_seconds)', '{{service}} {{worker}}'],
        'WorkerStale',
      ),
      panel(
        'Failed runs',
        'ops',
        [rate('hub_worker_ticks_total{outcome="failed"}', 'service, worker'), '{{service}} {{worker}}'],
        'WorkerFailing',
      ),
      panel('Interval', 's', ['max by (service, worker) (hub_worker_interval_seconds)', '{{service}} {{worker}}']),
      panel('Dry runs', 'short', ['max by (service, worker) (hub_dry_run)', '{{worker}}'], 'LiveUnexpected'),
      panel('Switches', 'short', ['max by (service, name) (hub_switch)', '{{service}} {{name}}'], 'SwitchFileInvalid'),
      panel('Leaders', 'short', ['sum by (service) (hub_leader)', '{{service}}'], 'NoLeader'),
    ],
  },
  {
    uid: 'mandates',
    title: '5 Mandates and money',
    panels: [
      panel('Mandates', 'short', ['max by (state) (hub_mandates)', '{{state}}']),
      panel('Approvals that wait', 'short', ['max(hub_approvals_open)', 'open'], 'ApprovalsExpiring'),
      panel('Age of the oldest approval', 's', ['max(hub_approval_oldest_age_seconds)', 'oldest'], 'ApprovalsExpiring'),
      panel('Refusals', 'ops', [rate('hub_refusals_total', 'kind, source'), '{{kind}} {{source}}']),
      panel('Violations', 'ops', ['sum(rate(hub_violations_total[5m]))', 'reported']),
      panel(
        'Age of marks, 95 %',
        's',
        ['histogram_quantile(0.95, sum by (le) (rate(hub_mark_age_seconds_bucket[30m])))', 'p95'],
        'MarkAgeHigh',
      ),
      panel('Worth withheld', 'ops', [rate('hub_marks_withheld_total', 'reason'), '{{reason}}']),
      panel('Oldest mandate to settle', 's', ['max(hub_settle_oldest_age_seconds)', 'oldest'], 'SettleOverdue'),
      panel(
        'Oldest open effect outside',
        's',
        ['max by (kind, state) (hub_outbound_oldest_seconds)', '{{kind}} {{state}}'],
        'TransactionStuck',
      ),
      panel('Gas drips today', 'short', ['max(hub_gas_drips_today)', 'drips'], 'GasDripFundingLow'),
      panel(
        'Books of the account that pays drips, ETH',
        'short',
        ['max by (part) (hub_gas_drip_funder_eth)', '{{part}}'],
        'GasDripFundingLow',
      ),
    ],
  },
  {
    uid: 'chain',
    title: '6 Readers of the chain',
    panels: [
      panel(
        'Blocks behind the head',
        'short',
        ['max by (reader) (hub_chain_head_lag_blocks)', '{{reader}}'],
        'ChainHeadLag',
      ),
      panel('Next block', 'short', ['max by (reader) (hub_chain_cursor_block)', '{{reader}}'], 'DepositCursorStuck'),
      panel('Newest block against the clock', 's', ['max(hub_chain_clock_skew_seconds)', 'skew'], 'ChainSilent'),
      panel('Log calls that were too large', 'ops', [rate('hub_getlogs_span_reduced_total', 'reason'), '{{reason}}']),
      panel('Deposits looked at again', 'ops', [rate('hub_reorg_rechecks_total', 'result'), '{{result}}']),
    ],
  },
  {
    uid: 'leg',
    title: '7 Leg and stop line',
    panels: [
      panel('Legs', 'short', ['max by (state) (hub_legs)', '{{state}}'], 'SeedFingerprintMismatch'),
      panel('Orders', 'ops', [rate('hub_hl_orders_total', 'side, outcome'), '{{side}} {{outcome}}']),
      panel(
        'Closes of the stop line',
        'ops',
        [rate('hub_stop_line_closes_total', 'outcome'), '{{outcome}}'],
        'StopLineTransient',
      ),
      panel(
        'Runs that left positions open',
        'short',
        ['max(hub_stop_line_transient_ticks)', 'ticks'],
        'StopLineTransient',
      ),
      panel(
        'Contradictions of the venue',
        'ops',
        [rate('hub_venue_contradictions_total', 'kind'), '{{kind}}'],
        'VenueContradictsItself',
      ),
      panel('Oldest transfer', 's', ['max(hub_leg_inflight_oldest_age_seconds)', 'oldest'], 'LegTransferStuck'),
      panel(
        'Silence of the venue',
        's',
        ['min(hub_dependency_answer_age_seconds{dependency="venue"})', 'age'],
        'VenueAnswerOld',
      ),
    ],
  },
  {
    uid: 'data',
    title: '8 Data, board, scans and reviews',
    panels: [
      panel(
        'Age of the snapshots',
        's',
        ['time() - max by (snapshot) (hub_snapshot_computed_at_seconds)', '{{snapshot}}'],
        'BoardStale',
      ),
      panel('Delay of scans, 99 %', 's', [
        'histogram_quantile(0.99, sum by (le) (rate(hub_scan_start_delay_seconds_bucket[30m])))',
        'p99',
      ]),
      panel('Submissions that wait', 'short', ['max(hub_review_queue)', 'pending'], 'ReviewQueueOld'),
      panel('Age of the oldest submission', 's', ['max(hub_review_oldest_age_seconds)', 'oldest'], 'ReviewQueueOld'),
      panel('Payouts deferred', 'short', ['max(hub_payouts_deferred)', 'deferred']),
    ],
  },
  {
    uid: 'ledger',
    title: '9 Cherry ledger',
    panels: [
      panel('Sum of all balances', 'short', ['max(hub_cherry_ledger_imbalance)', 'sum'], 'LedgerImbalance'),
      panel('Rules that do not hold', 'short', ['max by (rule) (cherry_ledger_faults)', '{{rule}}'], 'LedgerImbalance'),
      panel('Accounts', 'short', ['max(cherry_ledger_accounts)', 'accounts']),
      panel(
        'Calls that hold a key',
        's',
        ['max by (service) (hub_idempotency_inflight_age_seconds)', '{{service}}'],
        'CallStuck',
      ),
    ],
  },
  {
    uid: 'servers',
    title: '10 Postgres and certificates',
    panels: [
      panel(
        'Connections',
        'short',
        ['sum by (pod, usename) (cnpg_backends_total)', '{{pod}} {{usename}}'],
        'PgConnectionsHigh',
      ),
      panel(
        'Longest transaction',
        's',
        ['max by (usename) (cnpg_backends_max_tx_duration_seconds)', '{{usename}}'],
        'PgLongTransaction',
      ),
      panel('Replicas behind', 's', ['max by (pod) (cnpg_pg_replication_lag)', '{{pod}}'], 'PgReplicationLag'),
      panel(
        'Certificates end in',
        's',
        ['min by (name) (certmanager_certificate_expiration_timestamp_seconds) - time()', '{{name}}'],
        'CertificateExpiry',
      ),
    ],
  },
]

/** Returns the expressions of all panels. */
export const queriesOf = (all: readonly Dashboard[]): readonly string[] =>
  all.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(([expr]) => expr)))

const SOURCE = { type: 'prometheus', uid: '${source}' }
const [WIDTH, HEIGHT] = [12, 8]

/** Returns a dashboard as Grafana imports it. */
export const dashboardJson = ({ uid, title, panels }: Dashboard): string =>
  `${JSON.stringify(
    {
      uid: `platform-${uid}`,
      title,
      tags: ['platform'],
      schemaVersion: 39,
      editable: false,
      time: { from: 'now-6h', to: 'now' },
      refresh: '1m',
      templating: {
        list: [
          { name: 'source', type: 'datasource', query: 'prometheus', label: 'Source' },
          { name: 'runbooks', type: 'textbox', query: 'docs/runbooks', label: 'Address of docs/runbooks' },
        ],
      },
      panels: panels.map(({ title: name, unit, queries, runbook }, at) => ({
        id: at + 1,
        type: 'timeseries',
        title: name,
        datasource: SOURCE,
        gridPos: { x: (at % 2) * WIDTH, y: Math.floor(at / 2) * HEIGHT, w: WIDTH, h: HEIGHT },
        fieldConfig: { defaults: { unit, custom: { spanNulls: false } }, overrides: [] },
        targets: queries.map(([expr, legendFormat], of) => ({
          refId: String.fromCharCode(65 + of),
          datasource: SOURCE,
          expr,
          legendFormat,
          exemplar: true,
        })),
        ...(runbook === undefined
          ? {}
          : { links: [{ title: `Runbook ${runbook}`, url: `\${runbooks}/${runbook}.md`, targetBlank: true }] }),
      })),
    },
    null,
    1,
  )}\n`
