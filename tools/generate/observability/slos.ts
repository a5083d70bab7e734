/** A level of service that is promised, as a share of good events or of good minutes. */
export interface Slo {
  readonly name: string
  readonly title: string
  /** Share that is good, 0 to 1. */
  readonly objective: number
  /** Expression of the share of bad events within a window such as `5m`. */
  readonly errors: (window: string) => string
  /** Expression that is 1 while it is bad, for a level that is a share of minutes; `errors` averages what it recorded. */
  readonly isBad?: string
}

/** Series of a promtool test: values by series, one a minute. */
export type Series = Readonly<Record<string, string>>

/** Codes of answers with 503 that say what the operator has chosen, or whose fault a refusal is. */
const BY_DESIGN = 'flag_off|.*not_configured|venue_budget|venue_capacity'

const slowerThan = (histogram: string, labels: string, seconds: string) => (window: string) => {
  const all = `sum(rate(${histogram}_count{${labels}}[${window}]))`
  const fast = `sum(rate(${histogram}_bucket{${[labels, `le="${seconds}"`].filter(Boolean).join(',')}}[${window}]))`
  return `1 - ${fast} / (${all} > 0)`
}

const slow = (slo: Pick<Slo, 'name' | 'title' | 'objective'>, name: string, seconds: string, match = ''): Slo => ({
  ...slo,
  errors: slowerThan(name, match, seconds),
})

/** Share of minutes in which a time in the past was too long ago. */
const older = (slo: Pick<Slo, 'name' | 'title' | 'objective'>, timestamp: string, seconds: number): Slo => ({
  ...slo,
  isBad: `time() - max(${timestamp}) > bool ${seconds}`,
  errors: (window) => `avg_over_time(slo:bad{slo="${slo.name}"}[${window}])`,
})

const shareOf = (bad: string, all: string) => (window: string) =>
  `sum(rate(${bad}[${window}])) / (sum(rate(${all}[${window}])) > 0)`

/** All of them; `infra/prometheus` and the dashboards follow. */
export const slos: readonly Slo[] = [
  {
    name: 'api_availability',
    title: 'Requests are answered without a failure of the platform',
    objective: 0.999,
    errors: shareOf(`hub_http_errors_total{code!~"${BY_DESIGN}"}`, 'hub_http_request_duration_seconds_count'),
  },
  slow(
    { name: 'reads', title: 'Reads are answered within 300 ms', objective: 0.95 },
    'hub_http_request_duration_seconds',
    '0.3',
    'method="GET",status!="499"',
  ),
  slow(
    { name: 'live_and_record', title: 'Live figures and records are answered within 200 ms', objective: 0.95 },
    'hub_http_request_duration_seconds',
    '0.2',
    'method="GET",route=~".*/(live|record)"',
  ),
  older(
    { name: 'board', title: 'The board is at most three minutes old', objective: 0.999 },
    'hub_snapshot_computed_at_seconds{snapshot="board"}',
    180,
  ),
  older(
    { name: 'hall', title: 'The Hall is at most ten minutes old', objective: 0.999 },
    'hub_snapshot_computed_at_seconds{snapshot="hall"}',
    600,
  ),
  slow(
    { name: 'scans', title: 'Scans start within a minute of their time', objective: 0.99 },
    'hub_scan_start_delay_seconds',
    '60',
  ),
  older(
    { name: 'stop_line', title: 'The stop line has run within the last minute', objective: 0.999 },
    'hub_worker_last_success_timestamp_seconds{worker="stopLine"}',
    60,
  ),
  slow({ name: 'marks', title: 'Marks are at most an hour old', objective: 0.995 }, 'hub_mark_age_seconds', '3600'),
  slow(
    { name: 'event_visible', title: 'An event is in the record within five seconds', objective: 0.99 },
    'hub_event_delay_seconds',
    '5',
    'service="mandates"',
  ),
  {
    name: 'bus',
    title: 'Requests among services are answered',
    objective: 0.9995,
    errors: shareOf('hub_bus_request_duration_seconds_count{status=~"5.."}', 'hub_bus_request_duration_seconds_count'),
  },
]

/** Windows over which errors are recorded. */
export const WINDOWS = ['5m', '30m', '1h', '6h', '3d'] as const
type Window = (typeof WINDOWS)[number]

/** How fast a budget of thirty days may be spent: an alert needs a long and a short window. */
export const burns: readonly {
  readonly alert: string
  readonly severity: 'page' | 'ticket'
  readonly times: number
  readonly long: Window
  readonly short: Window
  readonly title: string
}[] = [
  { alert: 'BudgetBurnsFast', severity: 'page', times: 14.4, long: '1h', short: '5m', title: 'in two days' },
  { alert: 'BudgetBurns', severity: 'page', times: 6, long: '6h', short: '30m', title: 'in five days' },
  { alert: 'BudgetBurnsSlowly', severity: 'ticket', times: 1, long: '3d', short: '6h', title: 'in thirty days' },
]
