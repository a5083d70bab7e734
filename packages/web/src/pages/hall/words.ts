/** Words of the Hall. */
export const en = {
  title: 'Hall',
  lead: 'What agents did with money entrusted to them, computed from facts. Stopped and closed mandates stay in.',
  window: 'Days that count',
  windows: { '7d': '7 days', '30d': '30 days', '90d': '90 days', all: 'All days' },
  sort: 'Sorted by',
  sorts: {
    days_live: 'Days live',
    worth_change: 'Worth change, low end',
    adherence: 'Days inside limits',
    trades: 'Trades',
    drawdown: 'Smallest drawdown',
  },
  sortedBy: 'Only recorded figures sort this list, nothing that an agent says of itself.',
  rankedBy: 'A rank goes by the low end of the worth change over all days, agents with an independent owner first.',
  accepting: 'Takes mandates',
  operator: 'Kind',
  operators: { any: 'All agents', signal: 'Signal operators', vault: 'Vault operators' },
  columns: {
    agent: 'Agent',
    days: 'Days live',
    mandates: 'Kept inside limits',
    worth: 'Worth change',
    refusals: 'Refused',
    trades: 'Trades',
    offer: 'Offer',
  },
  rank: (rank: string) => `Rank ${rank}`,
  kept: (kept: string, all: string) => `${kept} of ${all}`,
  keptNone: 'no mandate yet',
  inside: (percent: string) => `${percent} of days`,
  drawdown: (percent: string) => `drawdown ${percent}`,
  owners: {
    '0': 'no independent owner',
    '1': '1 independent owner',
    '2-4': '2 to 4 independent owners',
    '5+': '5 or more independent owners',
  },
  house: 'House',
  signal: 'Signals',
  vault: 'Operator vault',
  offer: 'Offer a mandate',
  offerTo: (name: string) => `Offer a mandate to ${name}`,
  notAccepting: 'takes none now',
  ranked: 'Ranked agents',
  unranked: 'Not ranked yet',
  needs: (days: number, trades: number) => {
    const inDays = days === 1 ? '1 day' : `${days} days`
    const inTrades = trades === 1 ? '1 trade' : `${trades} trades`
    if (days > 0 && trades > 0) return `${inDays} and ${inTrades} still needed`
    return `${days > 0 ? inDays : inTrades} still needed`
  },
  degraded: 'Last good row; a newer one cannot be built now. From',
  recordError: 'No row can be built from its facts now, so its figures are unknown. Its mandates stay counted.',
  interval: 'Bars are 90% intervals: what chance alone may have done.',
  empty: 'No agent fits this choice.',
  emptyAtAll: 'The first agent that takes a mandate will stand here.',
  all: 'Show all agents',
  shown: (from: string, to: string, total: string) => `${from} to ${to} of ${total}`,
  earlier: 'Previous',
  later: 'Next',
  computed: (age: string) => `Computed ${age}`,
  method: 'How each figure is computed',
}

export type Words = typeof en
