import type { MarkKind } from '../../lib/trade-marks.ts'

/** Words of the picture of what a mandate trades. */
export const en = {
  title: 'What it trades',
  titleOver: 'What it traded',
  asset: 'Asset shown',
  window: 'Time shown',
  windows: { '24h': '24h', '7d': '7d', '30d': '30d', all: 'all' },
  kinds: { buy: 'Bought', sell: 'Sold', refused: 'Refused', question: 'Asked you' } satisfies Record<MarkKind, string>,
  price: (asset: string) => `Price of ${asset} in USDC`,
  told: (asset: string, first: string, last: string, low: string, high: string) =>
    `Price of ${asset}: first ${first}, last ${last}, lowest ${low}, highest ${high} USDC.`,
  noPrice: (asset: string) =>
    `No price of ${asset} is known yet, since the keeper prices what is held: the marks stand on a time line.`,
  noAsset: 'The asset of these calls is not known: their marks stand on a time line.',
  source: 'Price: what a sale would have paid at each mark of the keeper, and what sales did pay.',
  sourceVenue: 'Price: the fills at the venue, and its price now.',
  amounts: 'Amount of each attempt in USDC',
  cap: (amount: string) => `cap per trade ${amount}`,
  asks: (amount: string) => `asks you above ${amount}`,
  marks: 'Trades, refusals and questions in the order of time',
  keys: 'Left and right move between the marks, Enter opens the entry.',
  hint: 'Choose a mark to see what it was; open it to see its entry.',
  name: (kind: string, more: string, time: string, entry: string) => `${kind}: ${more}, ${time}, ${entry}`,
  forAmount: (asset: string, amount: string) => `${asset} for ${amount} USDC`,
  reason: (what: string, more: string) => `${what}, ${more}`,
  atPrice: (price: string) => `at ${price}`,
  unknownAsset: 'unknown asset',
  unplaced: (n: number) =>
    n === 1
      ? '1 mark had no room and stands in the table alone.'
      : `${n} marks had no room and stand in the table alone.`,
  none: 'Nothing was traded, refused or asked in this time.',
  limits: 'Limits',
  table: { time: 'Time', what: 'What', asset: 'Asset', amount: 'USDC', price: 'Price then', entry: 'Entry' },
  open: (n: number) => `entry ${n}`,
}

export type PictureWords = typeof en
