import type { Dex, Market, State } from './state.ts'

/** A market with its dex and the number under which orders name it. */
export interface Listed {
  readonly dex: Dex
  readonly market: Market
  readonly asset: number
  /** Name in books, positions and fills; markets of other dexes carry the dex before a colon. */
  readonly coin: string
}

export const coinOf = (dex: Dex, market: Market): string =>
  dex.name === '' ? market.name : `${dex.name}:${market.name}`

export function listed(state: State, by: { asset: number } | { coin: string }): Listed | null {
  for (const [d, dex] of state.dexes.entries())
    for (const [i, market] of dex.markets.entries()) {
      const asset = d === 0 ? i : 100_000 + d * 10_000 + i
      const coin = coinOf(dex, market)
      if ('asset' in by ? by.asset === asset : by.coin === coin) return { dex, market, asset, coin }
    }
  return null
}

export const marketOf = (state: State, coin: string): Listed => {
  const found = listed(state, { coin })
  if (found === null) throw new Error(`no market ${coin}`)
  return found
}

/** True for a market that lies on the dex; markets of other dexes carry the dex before a colon. */
export const isOn = (dex: Dex, coin: string): boolean =>
  dex.name === '' ? !coin.includes(':') : coin.startsWith(`${dex.name}:`)

export const dexNamed = (state: State, name: string): Dex | null => state.dexes.find((dex) => dex.name === name) ?? null
