/** Words of the worth over time. */
export const en = {
  now: 'Worth now',
  before: 'Worth before it was paid out',
  at: (time: string) => `Worth at ${time}`,
  since: 'Since the start',
  above: 'Above the stop line',
  below: 'Below the stop line',
  stop: (amount: string) => `Stop line ${amount}`,
  paidIn: (amount: string) => `paid in ${amount}`,
  windows: { '24h': '24h', '7d': '7d', '30d': '30d', all: 'all' },
  window: 'Time shown',
  chart: 'Worth over time, in USDC',
  told: (first: string, last: string, low: string, high: string) =>
    `Worth over time: first ${first}, last ${last}, lowest ${low}, highest ${high} USDC.`,
  marked: (by: string, age: string, block: string) => `Marked ${by} ${age}, block ${block}:`,
  source: { keeper: 'by the keeper', poller: 'by the poller' },
  parts: {
    vault: (amount: string) => `${amount} in the vault`,
    positions: (amount: string) => `${amount} in positions, as the market would pay now`,
    leg: (amount: string) => `${amount} at the venue`,
    unbooked: (amount: string) => `${amount} sent to the vault and not in its books`,
  },
  withheld: (reason: string) => `The newest mark was withheld: ${reason}`,
  reasons: {
    position_without_adapter: 'nothing prices a position',
    position_without_price: 'a position has no price',
    venue_unreadable: 'a venue could not be read',
    readings_disagree: 'two readings disagreed',
    leg_transfer_stuck: 'money on its way to or from the venue has not moved',
    leg_unexplained: 'the account at the venue does not add up',
    leg_unreadable: 'the venue could not be read',
    leg_unknown: 'the account at the venue is not known yet',
    leg_reading_missing: 'the venue was not read in time',
  } as Readonly<Record<string, string>>,
  gaps: (n: number) =>
    n === 1 ? '1 mark was withheld: the line has a gap.' : `${n} marks were withheld: the line has gaps.`,
  beforeFlow: 'Money came in or went out after the newest mark. The keeper marks it anew within a minute.',
  noMarks: 'No mark yet. The keeper marks the vault once more than the stop line is paid in.',
  marksSoon: 'No mark yet. The keeper marks the vault within a minute.',
  table: {
    time: 'Time',
    worth: 'Worth',
    vault: 'Vault',
    positions: 'Positions',
    venue: 'Venue',
    block: 'Block',
    reason: 'Withheld',
  },
}

export type WorthWords = typeof en
