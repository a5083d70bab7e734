import type { Alert } from './alert.ts'

/** An alert on a gauge beyond a bound. */
const beyond = (
  alert: Pick<Alert, 'name' | 'severity' | 'summary' | 'minutes'>,
  metric: string,
  [operator, bound]: readonly ['>' | '<' | '!=', number],
): Alert => ({ ...alert, expr: `max(${metric}) ${operator} ${bound}` })

/** Alerts on mandates, money, chain and venue. */
export const alertsOfProduct: readonly Alert[] = [
  {
    name: 'ProxyUntrusted',
    severity: 'ticket',
    summary:
      'Most requests come through a proxy that the gateway does not trust: all clients behind it share one allowance',
    expr: 'sum(rate(hub_edge_untrusted_forwarding_total[10m])) > 0.5 * sum(rate(hub_http_request_duration_seconds_count[10m]))',
    minutes: 10,
  },
  beyond(
    {
      name: 'StopLineTransient',
      severity: 'page',
      summary: 'The stop line has left positions open for three runs in a row',
      minutes: 0,
    },
    'hub_stop_line_transient_ticks',
    ['>', 2],
  ),
  {
    name: 'VenueContradictsItself',
    severity: 'page',
    summary: 'An order stays open because the venue contradicts itself about it',
    expr: 'sum by (kind) (increase(hub_venue_contradictions_total[15m])) > 0',
    minutes: 0,
  },
  {
    name: 'StopLineNoSeed',
    severity: 'page',
    summary: 'The leg is on without a seed: the stop line cannot close anything',
    expr: 'max(hub_switch{name="HUB_HL_LEG_ENABLED"}) == 1 and max(hub_leg_seed_set) == 0',
    minutes: 1,
  },
  {
    name: 'SeedFingerprintMismatch',
    severity: 'page',
    summary: 'Legs have become orphaned: their keys belong to another seed',
    expr: 'max(hub_legs{state="orphaned"}) > (max(hub_legs{state="orphaned"} offset 1h) or vector(0))',
    minutes: 0,
  },
  beyond(
    {
      name: 'LegTransferStuck',
      severity: 'page',
      summary: 'A transfer of leg money has not ended for half an hour',
      minutes: 5,
    },
    'hub_leg_inflight_oldest_age_seconds',
    ['>', 1800],
  ),
  beyond(
    {
      name: 'TransactionStuck',
      severity: 'page',
      summary: "A transaction of keeper's has not ended for half an hour",
      minutes: 5,
    },
    'hub_outbound_oldest_seconds{kind="transaction"}',
    ['>', 1800],
  ),
  beyond(
    {
      name: 'CollateralMoveStuck',
      severity: 'ticket',
      summary: 'A move of collateral between two dexes has not ended for half an hour',
      minutes: 5,
    },
    'hub_outbound_oldest_seconds{kind="collateral_move"}',
    ['>', 1800],
  ),
  beyond(
    {
      name: 'LegOrderStuck',
      severity: 'ticket',
      summary: 'An order of a leg has not ended for half an hour, or mandates does not know its end',
      minutes: 5,
    },
    'hub_outbound_oldest_seconds{kind="leg_order"}',
    ['>', 1800],
  ),
  beyond(
    {
      name: 'FollowOrderStuck',
      severity: 'ticket',
      summary: 'An order of the house runner has not ended for half an hour, and its follow waits',
      minutes: 5,
    },
    'hub_outbound_oldest_seconds{kind="follow_order"}',
    ['>', 1800],
  ),
  beyond(
    {
      name: 'OwnOrderStuck',
      severity: 'ticket',
      summary: 'An order of an own account has not ended for half an hour, and the caps of its owner count it',
      minutes: 5,
    },
    'hub_outbound_oldest_seconds{kind="own_order"}',
    ['>', 1800],
  ),
  beyond(
    {
      name: 'VenueTransferStuck',
      severity: 'ticket',
      summary: 'Leg money was sent at the venue half an hour ago, and nothing says what became of it',
      minutes: 5,
    },
    // What is planned waits for the chain, the pool or the owner: LegTransferStuck.
    'hub_outbound_oldest_seconds{kind="venue_transfer",state=~"signed|sent"}',
    ['>', 1800],
  ),
  {
    name: 'MarkAgeHigh',
    severity: 'page',
    summary: 'Of the vaults that may trade, one in twenty has a mark older than an hour',
    expr: '1 - sum(increase(hub_mark_age_seconds_bucket{le="3600"}[30m])) / (sum(increase(hub_mark_age_seconds_count[30m])) > 0) > 0.05',
    minutes: 5,
  },
  beyond(
    {
      name: 'SettleOverdue',
      severity: 'ticket',
      summary: 'A mandate stopped or ended three days ago, and its vault is not settled',
      minutes: 30,
    },
    'hub_settle_oldest_age_seconds',
    ['>', 259_200],
  ),
  {
    name: 'ChainHeadLag',
    severity: 'page',
    summary: 'A reader of the chain is more than fifty blocks behind its head',
    expr: 'max by (reader) (hub_chain_head_lag_blocks) > 50',
    minutes: 10,
  },
  {
    name: 'ChainSilent',
    severity: 'page',
    summary: 'The newest block that the RPC shows is two minutes old',
    expr: 'max(hub_chain_clock_skew_seconds) < -120',
    minutes: 5,
  },
  {
    name: 'ChainAhead',
    severity: 'page',
    summary: 'The newest block of the chain is later than the clock of the services',
    // The gauge may be of a block that is 64 s older than the newest one, so this includes all differences beyond 120.
    expr: 'max(hub_chain_clock_skew_seconds) > 50',
    minutes: 5,
  },
  {
    name: 'DepositCursorStuck',
    severity: 'page',
    summary: 'The reader of deposits has not moved for a quarter of an hour',
    expr: 'changes(hub_chain_cursor_block{reader="deposits"}[15m]) == 0 and on () max(hub_chain_clock_skew_seconds) > -120',
    minutes: 5,
  },
  {
    name: 'LedgerImbalance',
    severity: 'page',
    summary: 'The Cherry ledger does not add up',
    expr: 'max(abs(hub_cherry_ledger_imbalance)) > 0 or max(cherry_ledger_faults) > 0',
    minutes: 0,
  },
  {
    name: 'BoardStale',
    severity: 'ticket',
    summary: 'The board is more than ten minutes old',
    expr: 'time() - max(hub_snapshot_computed_at_seconds{snapshot="board"}) > 600',
    minutes: 5,
  },
  {
    name: 'HallStale',
    severity: 'ticket',
    summary: 'The Hall is more than a quarter of an hour old',
    expr: 'time() - max(hub_snapshot_computed_at_seconds{snapshot="hall"}) > 900',
    minutes: 5,
  },
  beyond(
    { name: 'ApprovalsExpiring', severity: 'ticket', summary: 'Approvals end within an hour undecided', minutes: 15 },
    'hub_approvals_expiring',
    ['>', 0],
  ),
  beyond(
    {
      name: 'ReviewQueueOld',
      severity: 'ticket',
      summary: 'A submission has waited two days for a review',
      minutes: 30,
    },
    'hub_review_oldest_age_seconds',
    ['>', 172_800],
  ),
  {
    name: 'GasDripFundingLow',
    severity: 'ticket',
    summary: 'The account that pays gas drips is nearly empty',
    expr: 'min(hub_gas_drip_funder_eth{part="balance"}) < 0.05 and max(hub_switch{name="HUB_GAS_DRIP_ENABLED"}) == 1',
    minutes: 10,
  },
]

/** Alerts on Postgres and certificates, by the metrics of CloudNativePG and cert-manager. */
export const alertsOfPlatform: readonly Alert[] = [
  {
    name: 'PostgresDown',
    severity: 'page',
    summary: 'No instance of Postgres answers',
    expr: '(max(cnpg_collector_up) == 0) or absent(cnpg_collector_up)',
    minutes: 1,
    fires: { 'cnpg_collector_up{pod="postgres-1"}': '0x400', 'cnpg_collector_up{pod="postgres-2"}': '0x400' },
    stays: { 'cnpg_collector_up{pod="postgres-1"}': '0x400', 'cnpg_collector_up{pod="postgres-2"}': '1x400' },
  },
  {
    name: 'PgConnectionsHigh',
    severity: 'page',
    summary: 'Postgres has used 80 % of its connections',
    expr: 'sum by (pod) (cnpg_backends_total) > 0.8 * max by (pod) (cnpg_pg_settings_setting{name="max_connections"})',
    minutes: 5,
    fires: {
      'cnpg_backends_total{pod="postgres-1",usename="mining"}': '90x400',
      'cnpg_pg_settings_setting{pod="postgres-1",name="max_connections"}': '100x400',
    },
    stays: {
      'cnpg_backends_total{pod="postgres-1",usename="mining"}': '70x400',
      'cnpg_pg_settings_setting{pod="postgres-1",name="max_connections"}': '100x400',
    },
  },
  {
    name: 'PgLongTransaction',
    severity: 'page',
    summary: 'A transaction of a service has run for five minutes',
    expr: 'max by (usename) (cnpg_backends_max_tx_duration_seconds{usename!~"postgres|streaming_replica"}) > 300',
    minutes: 1,
    fires: { 'cnpg_backends_max_tx_duration_seconds{usename="mining"}': '400x400' },
    stays: {
      'cnpg_backends_max_tx_duration_seconds{usename="mining"}': '4x400',
      'cnpg_backends_max_tx_duration_seconds{usename="postgres"}': '400x400',
    },
  },
  {
    name: 'PgReplicationLag',
    severity: 'page',
    summary: 'A replica of Postgres is half a minute behind',
    expr: 'max by (pod) (cnpg_pg_replication_lag) > 30',
    minutes: 5,
    fires: { 'cnpg_pg_replication_lag{pod="postgres-2"}': '60x400' },
    stays: { 'cnpg_pg_replication_lag{pod="postgres-2"}': '1x400' },
  },
  {
    name: 'PgArchiveFailing',
    severity: 'page',
    summary: 'Postgres cannot archive its log: a restore would lose what is newer',
    expr: 'max by (pod) (cnpg_pg_stat_archiver_last_failed_time) > max by (pod) (cnpg_pg_stat_archiver_last_archived_time)',
    minutes: 5,
    fires: {
      'cnpg_pg_stat_archiver_last_failed_time{pod="postgres-1"}': '900x400',
      'cnpg_pg_stat_archiver_last_archived_time{pod="postgres-1"}': '600x400',
    },
    stays: {
      'cnpg_pg_stat_archiver_last_failed_time{pod="postgres-1"}': '600x400',
      'cnpg_pg_stat_archiver_last_archived_time{pod="postgres-1"}': '900x400',
    },
  },
  {
    name: 'CertificateExpiry',
    severity: 'ticket',
    summary: 'A certificate ends within seven days and was not renewed',
    expr: 'min by (name) (certmanager_certificate_expiration_timestamp_seconds) - time() < 604800',
    minutes: 60,
    fires: { 'certmanager_certificate_expiration_timestamp_seconds{name="gateway"}': '86400x400' },
    stays: { 'certmanager_certificate_expiration_timestamp_seconds{name="gateway"}': '2592000x400' },
    at: 120,
  },
]
