export const en = {
  list: 'Clauses',
  title: (n: number) => `Clause ${n}`,
  margin: {
    perTrade: 'a trade',
    perDay: 'a day',
    asksAbove: (amount: string) => `asks above ${amount}`,
    asksAll: 'asks for all',
    asksNever: 'never asks',
    stopsAt: (amount: string) => `stops at ${amount}`,
    noStop: 'no stop line',
    profit: (percent: string) => `${percent} of profit`,
    noFee: 'no fee',
    noContract: 'no contract',
  },
  pending: 'stored, not in force yet',
  legToo: 'at the leg:',
}
export type Words = typeof en
