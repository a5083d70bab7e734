import type { TradeFacts } from './judge-trade.ts'

/** Facts of an order of an owner that nothing refuses and of which nothing is known. */
export const emptyFacts: TradeFacts = {
  mode: 'live',
  by: 'owner',
  closing: false,
  liveTrading: true,
  isPaired: true,
  mandates: null,
  market: null,
  notionalUsdc: null,
  caps: null,
  openNotional: null,
  session: null,
  builder: 'none',
  notLinked: null,
  price: null,
  isExpired: false,
}
