import type { Listed } from './venue-formats.ts'

const names: Readonly<Record<string, string>> = {
  BTC: 'Bitcoin',
  ETH: 'Ethereum',
  SOL: 'Solana',
  XRP: 'XRP',
  ADA: 'Cardano',
  DOGE: 'Dogecoin',
  TRX: 'TRON',
  DOT: 'Polkadot',
  LTC: 'Litecoin',
  BCH: 'Bitcoin Cash',
  LINK: 'Chainlink',
  AVAX: 'Avalanche',
  UNI: 'Uniswap',
  ATOM: 'Cosmos',
  XLM: 'Stellar',
  ALGO: 'Algorand',
  NEAR: 'NEAR Protocol',
  FIL: 'Filecoin',
  APT: 'Aptos',
  ARB: 'Arbitrum',
  OP: 'Optimism',
  SUI: 'Sui',
  PEPE: 'Pepe',
  SHIB: 'Shiba Inu',
  USDC: 'USD Coin',
  AAVE: 'Aave',
  MKR: 'Maker',
  CRV: 'Curve DAO',
  SAND: 'The Sandbox',
  MANA: 'Decentraland',
  KCS: 'KuCoin Token',
  GT: 'GateToken',
  BNB: 'BNB',
}

const common =
  'BTC ETH SOL XRP ADA DOGE TRX DOT LTC BCH LINK AVAX UNI ATOM XLM ALGO NEAR FIL APT ARB OP SUI PEPE SHIB AAVE MKR CRV SAND MANA'

const markets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  binance: { USDT: `${common} BNB USDC`, BTC: 'ETH SOL XRP ADA DOGE LTC LINK' },
  gate: { USDT: `${common} GT USDC`, BTC: 'ETH SOL XRP LTC' },
  kucoin: { USDT: `${common} KCS USDC`, BTC: 'ETH SOL XRP LTC' },
  upbit: { KRW: common, BTC: 'ETH SOL XRP ADA DOGE', USDT: 'BTC ETH SOL XRP' },
  okx: { USDT: `${common} USDC`, BTC: 'ETH SOL XRP LTC' },
}

/** Well-known pairs that serve where there are no recordings. */
export const declaredPairs: ReadonlyMap<string, readonly Listed[]> = new Map(
  Object.entries(markets).map(([exchange, byQuote]) => [
    exchange,
    Object.entries(byQuote).flatMap(([quote, bases]) =>
      bases.split(' ').map((base) => ({ base, quote, name: names[base] ?? null })),
    ),
  ]),
)
