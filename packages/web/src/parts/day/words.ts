export const en = {
  title: 'A day with these limits',
  lead: 'If your agent went too far. Amounts in USDC, times UTC. Judged in your browser by the rules of the vault and the guard, as if you said yes each time; nothing is sent.',
  list: 'Attempts of the day',
  buys: 'buys',
  foreign: 'calls another contract',
  worthAtLine: 'worth falls to',
  worthHalf: 'worth halves to',
  noLine: 'No stop line is set: nothing shuts the agent out.',
  verdict: { passes: 'passes', asks: 'asks you', refused: 'refused' },
  asksAbove: (above: string) => `Waits for your yes: above ${above}.`,
  asksAll: 'Waits for your yes.',
  why: {
    over_per_tx_cap: (cap: string) => `Over the cap per trade: ${cap} at most.`,
    over_daily_cap: (left: string) => `Over the cap per day: ${left} left today.`,
    insufficient_funds: (left: string) => `More than the vault holds: ${left} left.`,
  },
  notListed: 'Not an allowed market.',
  stopped: 'The stop line: shut out for good.',
  other: 'Refused.',
  tally: (passes: number, asks: number, refused: number) =>
    `A day with these limits: ${passes} pass, ${asks} ask you, ${refused} refused`,
  passes: (n: number) => `${n} pass`,
  asks: (n: number) => `${n} ask`,
  refused: (n: number) => `${n} refused`,
}
export type Words = typeof en
