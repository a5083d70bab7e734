import { refusal } from '@svc/contract'

/** The venue lists no market of this name, or this deployment does not read its dex. */
export const unknownCoin = refusal('unknown_coin', {
  status: 404,
  title: 'Unknown market',
  meaning: 'The venue has no market of this name on the dexes that this deployment reads.',
  fix: 'Use the name of a market in GET /hub/info/meta, such as BTC, or xyz:TSLA on another dex.',
})

/** The venue lists no dex of this name. */
export const unknownDex = refusal('unknown_dex', {
  status: 404,
  title: 'Unknown dex',
  meaning: 'The venue has no perpetual exchange of this name.',
  fix: 'Leave dex out for the main one, or name another one that the venue lists, such as xyz.',
})
