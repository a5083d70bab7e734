import type { MarginFigures } from './margin-figures.ts'

/** Says a clause in the language of the reader, for one who does not read the signed words. */
export type Reading = (number: number, figures: MarginFigures, show: (units: bigint) => string) => string

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
  notSigned: 'not signed',
  /** English is what is signed: it needs no reading. */
  reading: null as Reading | null,
}
export type Words = typeof en
