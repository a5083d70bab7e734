import { majors } from './names.ts'

/** Rough USD values of currencies that do not trade themselves. */
const fixed: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ['USD', 'USDT', 'BUSD', 'TUSD', 'PAX', 'USDP', 'USDS', 'DAI', 'VAI', 'UST'].map((ticker) => [ticker, 1]),
  ),
  EUR: 1.08,
  GBP: 1.26,
  AUD: 0.66,
  PLN: 0.25,
  RON: 0.22,
  BRL: 0.18,
  ZAR: 0.054,
  UAH: 1 / 41,
  TRY: 1 / 42,
  RUB: 1 / 90,
  KRW: 1 / 1_430,
  BKRW: 1 / 1_430,
  NGN: 1 / 1_500,
  IDRT: 1 / 16_000,
  BIDR: 1 / 16_000,
  BVND: 1 / 25_000,
}

/** A quote currency's constant USD value, or the major in which it trades; `majorAt` gives the slot of a major. */
export function quoteValue<T>(quote: string, majorAt: (index: number) => T | undefined): T | number {
  const index = majors.findIndex(([ticker]) => ticker === quote)
  return fixed[quote] ?? (index === -1 ? undefined : majorAt(index)) ?? 1
}
