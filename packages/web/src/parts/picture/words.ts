import type { MarkKind } from '../../lib/trade-marks.ts'

/** Words of the picture of what a mandate trades. */
export const en = {
  title: 'What it trades',
  titleOver: 'What it traded',
  asset: 'Asset',
  window: 'Period',
  windows: { '24h': '24h', '7d': '7d', '30d': '30d', all: 'all' },
  kinds: { buy: 'Bought', sell: 'Sold', refused: 'Refused', question: 'Asked you' } satisfies Record<MarkKind, string>,
  price: (asset: string) => `Price of ${asset} in USDC`,
  told: (asset: string, first: string, last: string, low: string, high: string) =>
    `Price of ${asset}: first ${first}, last ${last}, lowest ${low}, highest ${high} USDC.`,
  noPrice: (asset: string) =>
    `No price of ${asset} is known yet, because the keeper prices only what is held. Marks are shown by time.`,
  noAsset: 'The asset of these calls is unknown. Marks are shown by time.',
  source: 'Price: what the whole position would have sold for at each valuation, and the prices of actual sales.',
  sourceVenue: 'Price: fills at the venue and its latest price.',
  amounts: 'Amount of each attempt in USDC',
  cap: (amount: string) => `cap per trade ${amount}`,
  asks: (amount: string) => `asks you above ${amount}`,
  marks: 'Trades, refusals and questions in time order',
  keys: 'Use the arrow keys to move between marks. Press Enter to open the entry.',
  hint: 'Point to a mark or focus it for details. Open it to go to its entry.',
  name: (kind: string, more: string, time: string, entry: string) => `${kind}: ${more}, ${time}, ${entry}`,
  forAmount: (asset: string, amount: string) => `${asset} for ${amount} USDC`,
  reason: (what: string, more: string) => `${what}, ${more}`,
  atPrice: (price: string) => `at ${price}`,
  unknownAsset: 'unknown asset',
  unplaced: (n: number) =>
    n === 1 ? '1 mark does not fit and is only in the table.' : `${n} marks do not fit and are only in the table.`,
  none: 'No trades, refusals or questions in this period.',
  limits: 'Limits',
  table: { time: 'Time', what: 'What', asset: 'Asset', amount: 'USDC', price: 'Price at that time', entry: 'Entry' },
  open: (n: number) => `entry ${n}`,
}

export type PictureWords = typeof en
