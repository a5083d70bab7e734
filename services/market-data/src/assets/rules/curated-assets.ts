import { contracts, issued } from './curated-contracts.ts'
import { natives } from './curated-natives.ts'

/** An asset whose ticker denotes the same asset at every supported venue. */
export interface CuratedAsset {
  readonly symbol: string
  /** A venue's name of the asset contains at least one of these words, in lower-case letters and digits. */
  readonly words: readonly string[]
  /** Where the ticker is registered, who issues it, or its contract. */
  readonly source: string
  /** The contract on its home chain; null for the coin of a chain. */
  readonly contract: { readonly chain: string; readonly address: string } | null
}

const slip44 = 'SLIP-0044 (github.com/satoshilabs/slips), coin type'
const iso4217 = 'USD EUR GBP JPY KRW TRY BRL AUD CAD CHF MXN PLN RON CZK ZAR UAH IDR THB SGD NZD'.split(' ')

/**
 * Curated assets by ticker: coins with their registered type, tokens with their contract, and tokens of a state's money with
 * their issuer and contract. It has none of the `KNOWN_COLLISIONS`.
 */
export const CURATED_ASSETS: ReadonlyMap<string, CuratedAsset> = new Map(
  [
    ...natives.map(([symbol, type, ...words]) => ({ symbol, words, source: `${slip44} ${type}`, contract: null })),
    ...contracts.map(([symbol, chain, address, ...words]) => ({
      symbol,
      words,
      source: `contract ${chain}:${address}`,
      contract: { chain, address },
    })),
    ...issued.map(([symbol, chain, address, issuer, ...words]) => ({
      symbol,
      words,
      source: `issuer: ${issuer}`,
      contract: { chain, address },
    })),
  ].map((asset) => [asset.symbol, asset]),
)

/** Quote currencies that are the same at every venue: the curated assets and the currencies of ISO 4217. */
export const SAME_QUOTES: ReadonlySet<string> = new Set([...CURATED_ASSETS.keys(), ...iso4217])
