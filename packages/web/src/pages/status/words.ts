export const en = {
  title: 'Status',
  lead: 'Whether the workers behind the limits run. They tell twice a minute: names and ages only, no wallet, no amount.',
  all: (n: number) => `All ${n} workers run`,
  some: (bad: number, n: number) => `${bad} of ${n} workers need a look`,
  none: 'No worker has told of itself yet.',
  stopLine: 'Stop lines, the last 30 days',
  stopLineHint:
    'Unable to fire: the share of the time in which the worker of a stop line did not run live. Time before it was first watched counts, too.',
  legs: 'Legs with a stop line',
  legsProtected: (n: number, of: number) => `${n} of ${of} protected`,
  vaults: 'Vaults, unable to fire',
  ofLegs: 'Legs, unable to fire',
  watchedSince: 'Watched since',
  worth: 'Oldest worth reading',
  hall: 'Snapshot of the Hall',
  workers: 'Workers',
  worker: 'Worker',
  service: 'Service',
  state: 'State',
  lastRun: 'Last run',
  period: 'Runs every',
  seconds: (n: number) => (n < 120 ? `${n} s` : n < 7_200 ? `${Math.round(n / 60)} min` : `${Math.round(n / 3_600)} h`),
  ago: (age: string) => `${age} ago`,
  dry: 'dry run',
  states: { ok: 'runs', failing: 'fails', late: 'late' },
  /** Names of workers by service and worker; without one, the worker has the name that its service gives it. */
  names: {} as Readonly<Record<string, string>>,
}

export type Words = typeof en
