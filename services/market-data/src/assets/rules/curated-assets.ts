/** An asset whose ticker denotes the same asset at every supported venue. */
export interface CuratedAsset {
  readonly symbol: string
  /** A venue's name of the asset contains at least one of these words, in lower-case letters and digits. */
  readonly words: readonly string[]
  /** Where the ticker is registered or who issues it. */
  readonly source: string
}

const slip44 = 'SLIP-0044 (github.com/satoshilabs/slips), coin type'

/**
 * Native assets of a chain: ticker, registered coin type, words of the name. Registered tickers that venues have used for
 * two assets (ONE, STX, TON, LUNA, IOTA, FTM, LSK) and tickers with two entries are left out.
 */
const natives: readonly (readonly [symbol: string, coinType: number, ...words: string[]])[] = [
  ['BTC', 0, 'bitcoin'],
  ['LTC', 2, 'litecoin'],
  ['DOGE', 3, 'dogecoin'],
  ['DASH', 5, 'dash'],
  ['DGB', 20, 'digibyte'],
  ['DCR', 42, 'decred'],
  ['XEM', 43, 'nem'],
  ['ETH', 60, 'ether'],
  ['ETC', 61, 'classic'],
  ['ICX', 74, 'icon'],
  ['ATOM', 118, 'cosmos', 'atom'],
  ['XMR', 128, 'monero'],
  ['ZEC', 133, 'zcash'],
  ['STEEM', 135, 'steem'],
  ['XRP', 144, 'xrp', 'ripple'],
  ['BCH', 145, 'bitcoincash'],
  ['XLM', 148, 'stellar', 'lumen'],
  ['XNO', 165, 'nano'],
  ['RVN', 175, 'ravencoin'],
  ['EOS', 194, 'eos'],
  ['TRX', 195, 'tron'],
  ['ICP', 223, 'internetcomputer', 'dfinity'],
  ['BSV', 236, 'bitcoinsv', 'satoshivision'],
  ['ALGO', 283, 'algorand'],
  ['IOTX', 304, 'iotex'],
  ['CKB', 309, 'nervos', 'ckb'],
  ['ZIL', 313, 'zilliqa'],
  ['DOT', 354, 'polkadot'],
  ['NEAR', 397, 'near'],
  ['KSM', 434, 'kusama'],
  ['KAVA', 459, 'kava'],
  ['FIL', 461, 'filecoin'],
  ['AR', 472, 'arweave'],
  ['ROSE', 474, 'oasis'],
  ['THETA', 500, 'theta'],
  ['SOL', 501, 'solana'],
  ['CFX', 503, 'conflux'],
  ['EGLD', 508, 'multiversx', 'elrond'],
  ['FLOW', 539, 'flow'],
  ['XDC', 550, 'xdc', 'xinfin'],
  ['BNB', 714, 'bnb', 'binance'],
  ['SUI', 784, 'sui'],
  ['VET', 818, 'vechain'],
  ['NEO', 888, 'neo'],
  ['ONT', 1024, 'ontology'],
  ['XTZ', 1729, 'tezos'],
  ['ADA', 1815, 'cardano', 'ada'],
  ['SC', 1991, 'siacoin'],
  ['QTUM', 2301, 'qtum'],
  ['HBAR', 3030, 'hedera'],
  ['HIVE', 3054, 'hive'],
  ['AVAX', 9000, 'avalanche'],
  ['MINA', 12586, 'mina'],
  ['CELO', 52752, 'celo'],
  ['KAS', 111111, 'kaspa'],
  ['WAVES', 5741564, 'waves'],
  ['SEI', 19000118, 'sei'],
]

/** Dollar tokens, one issuer each: ticker, issuer's page, words of the name. */
const issued: readonly (readonly [symbol: string, issuer: string, ...words: string[]])[] = [
  ['USDT', 'tether.to/transparency', 'tether', 'usdt'],
  ['USDC', 'circle.com/usdc', 'usdc', 'usdcoin'],
  ['DAI', 'makerdao.com', 'dai'],
  ['FDUSD', 'firstdigitallabs.com', 'firstdigital', 'fdusd'],
  ['PYUSD', 'paypal.com/pyusd', 'paypal', 'pyusd'],
  ['TUSD', 'tusd.io', 'trueusd', 'tusd'],
  ['USDP', 'paxos.com/usdp', 'paxdollar', 'paxos', 'usdp'],
  ['BUSD', 'paxos.com/busd', 'binanceusd', 'busd'],
]

const iso4217 = 'USD EUR GBP JPY KRW TRY BRL AUD CAD CHF MXN PLN RON CZK ZAR UAH IDR THB SGD NZD'.split(' ')

/** Curated assets by ticker. */
export const CURATED_ASSETS: ReadonlyMap<string, CuratedAsset> = new Map(
  [
    ...natives.map(([symbol, coinType, ...words]) => ({ symbol, words, source: `${slip44} ${coinType}` })),
    ...issued.map(([symbol, issuer, ...words]) => ({ symbol, words, source: `issuer: ${issuer}` })),
  ].map((asset) => [asset.symbol, asset]),
)

/** Quote currencies that are the same at every venue: the curated assets and the currencies of ISO 4217. */
export const SAME_QUOTES: ReadonlySet<string> = new Set([...CURATED_ASSETS.keys(), ...iso4217])
