/**
 * Titles of markets on other dexes by the name after the colon: what the contract follows. A market that is not here has its
 * own name as title.
 */
const TITLES: Readonly<Record<string, string>> = {
  XYZ100: 'Hundred largest US technology stocks (index)',
  SP500: 'Five hundred largest US stocks (index)',
  US500: 'Five hundred largest US stocks (index)',
  UK100: 'Hundred largest UK stocks (index)',
  SMALL2000: 'Two thousand small US stocks (index)',
  JP225: 'Two hundred twenty-five Japanese stocks (index)',
  KR200: 'Two hundred Korean stocks (index)',
  HK50: 'Fifty Hong Kong stocks (index)',
  GOLD: 'Gold',
  SILVER: 'Silver',
  COPPER: 'Copper',
  CL: 'Crude oil (WTI)',
  NATGAS: 'Natural gas',
  EUR: 'Euro in US dollars',
  JPY: 'US dollar in Japanese yen',
  AAPL: 'Apple',
  AMD: 'AMD',
  AMZN: 'Amazon',
  BABA: 'Alibaba',
  COIN: 'Coinbase',
  GOOGL: 'Alphabet',
  HOOD: 'Robinhood',
  INTC: 'Intel',
  META: 'Meta Platforms',
  MSFT: 'Microsoft',
  MSTR: 'Strategy',
  MU: 'Micron',
  NFLX: 'Netflix',
  NVDA: 'NVIDIA',
  ORCL: 'Oracle',
  PLTR: 'Palantir',
  SKHX: 'SK hynix',
  SMSN: 'Samsung Electronics',
  TSLA: 'Tesla',
  TSM: 'TSMC',
}

/** Returns the name of a market without its dex. */
export const shortName = (coin: string): string => coin.split(':').at(-1) ?? coin

/** Returns the title of a market, such as `BTC perpetual` or `Tesla perpetual`. */
export const titleOf = (coin: string): string => {
  const name = shortName(coin)
  const follows = coin.includes(':') && Object.hasOwn(TITLES, name) ? TITLES[name] : undefined
  return `${follows ?? name} perpetual`
}
