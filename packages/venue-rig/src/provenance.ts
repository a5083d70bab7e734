/**
 * How a behaviour of the rig is known: `measured` was seen at the venue by somebody who published it, `documented` stands
 * in the venue's documentation or in its own code, `assumed` is ours until somebody sees it.
 */
export type Known = 'measured' | 'documented' | 'assumed'

export interface Provenance {
  /** A question, an action, or a rule that several of them share. */
  readonly kind: 'question' | 'action' | 'rule'
  /** Type of the question or action, or the name of the rule. */
  readonly name: string
  readonly behaviour: string
  readonly known: Known
  readonly source: string
}

const DOCS = 'documentation of the venue'
const SDK = '@nktkas/hyperliquid 0.33.3'
const PYTHON = 'hyperliquid-python-sdk'
const STRINGS = 'strings of the node program, published with an analysis of it'
const CAPTURES = 'published captures of testnet and mainnet'
const CLIENTS = 'code of other clients'

type Row = readonly [name: string, behaviour: string, known: Known, source: string]

const QUESTIONS: readonly Row[] = [
  ['meta', 'the place in the list is the number; delisted markets stay', 'measured', CAPTURES],
  [
    'metaAndAssetCtxs',
    'contexts in the order of the markets; open interest is the sum of long positions',
    'documented',
    DOCS,
  ],
  ['allPerpMetas', 'the same list for each dex', 'documented', SDK],
  [
    'marginTable',
    'tiers by lower bound; a number up to 50 is one tier of that leverage',
    'measured',
    'captures of meta',
  ],
  ['perpDexs', 'the main dex is null, at place 0', 'measured', CAPTURES],
  ['clearinghouseState', 'the identities of margin, cross and isolated; one dex a question', 'measured', CAPTURES],
  [
    'spotClearinghouseState',
    'USDC is always listed; `hold` is the margin of a unified account',
    'measured',
    'WayfinderFoundation/wayfinder-paths-sdk#611',
  ],
  [
    'activeAssetData',
    'leverage, sizes and money of each side; the largest size is money × leverage ÷ mark',
    'documented',
    DOCS,
  ],
  ['activeAssetData', 'the side that closes may take twice the position more', 'assumed', CLIENTS],
  ['spotMeta', 'tokens and pairs with their numbers', 'documented', DOCS],
  ['spotMetaAndAssetCtxs', 'no contexts of pairs', 'assumed', 'nobody here asks for them'],
  ['outcomeMeta', 'no outcomes', 'assumed', 'nobody here asks for them'],
  ['exchangeStatus', 'the clock of the venue', 'documented', SDK],
  ['allMids', 'middle of the book, the mark without one', 'documented', DOCS],
  ['l2Book', 'at most 20 a side; null for an unknown market', 'measured', CAPTURES],
  ['l2Book', 'aggregation is left out', 'assumed', 'not built'],
  ['extraAgents', 'named agents that live', 'measured', CAPTURES],
  ['userRole', 'missing, user, agent, vault, subAccount', 'measured', CAPTURES],
  ['userAbstraction', 'a bare text', 'measured', CAPTURES],
  ['userFees', 'tiers of the 14 days before today; 15 days of volume, today last', 'documented', DOCS],
  ['userRateLimit', '10,000 requests and one for each dollar traded', 'documented', DOCS],
  ['maxBuilderFee', 'tenths of a basis point', 'documented', DOCS],
  [
    'openOrders',
    'contains orders that wait for a trigger',
    'assumed',
    'infinitefield/hypersdk#57 names only fields that it lacks',
  ],
  [
    'frontendOpenOrders',
    'triggers with their condition; orders that wait for another are its children',
    'measured',
    'ccxt/ccxt#22476',
  ],
  ['orderStatus', 'by number or by own id; unknownOid', 'measured', CAPTURES],
  [
    'orderStatus',
    'with `stale-sz` the size of a filled order stays what it was',
    'measured',
    'hyperliquid-python-sdk#141, JKorf/HyperLiquid.Net#46',
  ],
  ['historicalOrders', 'newest first, 2,000 rows at most', 'documented', DOCS],
  [
    'userFills',
    'newest first, 2,000 rows at most; pairs of spot as `@107` with fees in other coins',
    'measured',
    'OneKeyHQ/app-monorepo#9114',
  ],
  ['userFillsByTime', 'oldest first, `reversed` turns it; 2,000 rows at most', 'documented', SDK],
  ['userFillsByTime', 'only the last 10,000 executions exist', 'assumed', 'documented at the venue; not kept here'],
  ['userFunding', 'oldest first, 500 rows at most', 'documented', DOCS],
  ['userNonFundingLedgerUpdates', 'oldest first, 500 rows at most; both parties see a payment', 'measured', CAPTURES],
  ['portfolio', 'one point of each span', 'assumed', 'the venue has a history'],
  ['preTransferCheck', 'the fee is 0.0 for a new account too', 'measured', CAPTURES],
  ['fundingHistory', 'each hour with the rate of its source, or of now', 'assumed', 'no history of rates is kept'],
  ['candleSnapshot', 'oldest first, 5,000 rows at most; the last may be unfinished', 'documented', DOCS],
  [
    'candleSnapshot',
    'prices of the source of prices; volumes are shares of the day',
    'assumed',
    'no trades of others exist',
  ],
]

const ACTIONS: readonly Row[] = [
  ['order', 'checks, their order and their words', 'measured', CAPTURES],
  ['order', 'a whole close below 10 USDC is accepted', 'assumed', CLIENTS],
  ['order', 'a trigger order rests, and goes off at the mark', 'documented', DOCS],
  ['order', 'a trigger that is reached already is refused: Invalid TP/SL price.', 'documented', DOCS],
  [
    'order',
    'a trigger order needs no margin and no position before its price',
    'assumed',
    'freqtrade/freqtrade#10960 shows reduce-only stops',
  ],
  [
    'order',
    'waitingForFill and waitingForTrigger; the execution of one exit cancels the other',
    'documented',
    `${SDK}, infinitefield/hypersdk#57`,
  ],
  [
    'order',
    'a trigger order that lacks margin at its price ends as marginCanceled',
    'assumed',
    'list of states in the SDK',
  ],
  ['cancel', 'what waits for a cancelled order is cancelled with it', 'assumed', DOCS],
  ['cancelByCloid', 'the same by own id', 'documented', DOCS],
  ['updateLeverage', 'is kept without a position; the type does not change with one', 'documented', STRINGS],
  ['updateLeverage', 'is lowered only as far as the margin reaches', 'documented', STRINGS],
  ['updateIsolatedMargin', 'takes and gives, but not from a strictly isolated position', 'documented', STRINGS],
  ['updateIsolatedMargin', 'what stays is the initial margin and a tenth of the notional', 'documented', DOCS],
  ['scheduleCancel', 'five seconds ahead, ten times a UTC day', 'documented', DOCS],
  ['scheduleCancel', 'only after 1,000,000 USDC of trades', 'measured', 'words of the refusal in several clients'],
  ['scheduleCancel', 'the words of the two other refusals', 'assumed', 'nobody published them'],
  ['noop', 'uses a nonce', 'documented', SDK],
  ['setReferrer', 'is accepted and changes nothing', 'assumed', 'nobody here sends it'],
  ['agentSendAsset', 'within one account only', 'measured', CAPTURES],
  [
    'agentSetAbstraction',
    'from the default mode only: Abstraction transition not allowed',
    'measured',
    'tests of the SDK',
  ],
  ['approveAgent', 'names, lives, one use of an address, pending removals', 'measured', CAPTURES],
  ['approveBuilderFee', 'the builder has 100 USDC; ten builders', 'documented', DOCS],
  [
    'usdSend',
    'refused for a unified account: Action disabled when unified account is active',
    'measured',
    'six clients',
  ],
  ['usdSend', 'a new account costs its payer 1 USDC', 'measured', 'sendAsset on testnet; assumed for usdSend'],
  ['usdClassTransfer', 'refused for a unified account; its row is accountClassTransfer', 'measured', 'six clients'],
  ['spotSend', 'refused for a unified account; its row is spotTransfer', 'measured', 'six clients'],
  ['spotSend', 'the fee of a new account is paid in USDC of spot', 'assumed', 'sendAsset on testnet'],
  ['sendAsset', 'of a unified account only through spot', 'measured', 'tests of another client'],
  ['withdraw3', 'costs 1 USDC; of a unified account it takes from spot', 'measured', 'MetaMask/metamask-mobile#29537'],
  ['withdraw3', 'the words for an amount that is not above the fee', 'assumed', 'nobody published them'],
  [
    'userSetAbstraction',
    'by the account itself, from any mode to any other',
    'assumed',
    'witnesses differ on the way back',
  ],
]

const RULES: readonly Row[] = [
  [
    'unified account',
    'all USDC in spot; a dex shows the margin of its positions and their profit',
    'measured',
    '25.93 of 977.58 USDC; gemwalletcom/core#1103',
  ],
  [
    'unified account',
    '`total` of spot is cash without the profit of positions',
    'measured',
    'WayfinderFoundation/wayfinder-paths-sdk#611',
  ],
  [
    'unified account',
    'in the standard mode again its USDC lies on the main dex; `mode-return` lets it stay in spot',
    'assumed',
    'one client tells its users to move it by usdClassTransfer',
  ],
  ['unified account', 'no row of the ledger tells of the change', 'assumed', 'nobody published one'],
  ['unified account', 'a payment to a dex of it lands in spot', 'assumed', ''],
  ['leverage', '20, or the most there is, until it is set', 'assumed', 'seen in the app'],
  [
    'margin tiers',
    'BTC 40 to 150 million, ETH 25 to 100, SOL 20 to 70, HYPE and DOGE 10 to 20',
    'documented',
    `${DOCS}, captures of meta`,
  ],
  [
    'margin tiers',
    'maintenance is half the initial margin at the most leverage, less the deduction of the tiers below',
    'documented',
    DOCS,
  ],
  ['isolated margin', 'a partial close gives its share of the value back', 'documented', DOCS],
  ['isolated margin', 'the fee of an opening is paid from the cash of the dex', 'assumed', ''],
  ['isolated margin', 'a loss beyond the margin is not the account’s', 'documented', DOCS],
  [
    'isolated margin',
    'what the book would close beyond the margin others take over, at the price that uses the margin up',
    'documented',
    `${DOCS}: auto-deleveraging, which leaves no bad debt`,
  ],
  ['isolated margin', 'such an execution costs no fee', 'assumed', ''],
  ['markets of other dexes', 'TSLA allows isolated margin only, XYZ100 allows both', 'measured', 'captures of meta'],
  ['markets of other dexes', 'fees are twice those of the main dex', 'documented', DOCS],
  [
    'markets of other dexes',
    'the mark of a thin one (`local_mark`) is the middle one of best bid, best ask and last trade, moved by 1 % an update',
    'documented',
    `${DOCS}: actions of deployers`,
  ],
  [
    'markets of other dexes',
    'such a mark is updated every 2.5 seconds',
    'assumed',
    'the documentation states it as the least time',
  ],
  ['fees', 'six tiers of volume, three of makers by their share of all volume', 'documented', DOCS],
  ['fees', 'all volume is 5 billion USDC a day and what accounts here trade', 'assumed', ''],
  ['fees', 'volume in spot counts twice', 'assumed', 'documented at the venue; spot counts nothing here'],
  ['funding', 'each hour at the oracle price; an isolated position pays its own', 'documented', DOCS],
  ['liquidation', 'below maintenance, at the book, as far as it reaches, in one step', 'documented', DOCS],
  ['liquidation', 'no backstop and no partial liquidation of large positions', 'assumed', 'not built'],
  ['nonces', 'the 100 highest of a signer; two days back, one ahead', 'documented', DOCS],
  ['nonces', 'a refused action has used its nonce', 'measured', CAPTURES],
  ['signatures', 'any order of members and zeros at the end of decimals are accepted', 'measured', CAPTURES],
  ['signatures', 'the vectors of both authors', 'documented', `${PYTHON}, ${SDK}`],
  [
    'late executions',
    '`late-fills` lists them later',
    'assumed',
    'a client found an order filled before its executions',
  ],
]

const rowsOf = (kind: Provenance['kind'], rows: readonly Row[]): readonly Provenance[] =>
  rows.map(([name, behaviour, known, source]) => ({ kind, name, behaviour, known, source }))

/** What the rig does and how it is known, one row for each question, action and rule. */
export const PROVENANCE: readonly Provenance[] = [
  ...rowsOf('question', QUESTIONS),
  ...rowsOf('action', ACTIONS),
  ...rowsOf('rule', RULES),
]
