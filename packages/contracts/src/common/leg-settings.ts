import { protectingSwitchWord, setting, switchWord } from '@svc/contract'
import { z } from 'zod'
import { walletAddress } from '../common.ts'
import { wholeNumber } from './chain-settings.ts'

const key32 = z.string().regex(/^(0x)?[0-9a-fA-F]{64}$/, 'must be 32 bytes in hex')
const decimal = (pattern: RegExp, message: string) => z.string().regex(pattern, message)

/** Settings of the leg, the venue account in which a mandate trades; names and defaults are those of the API document. */
export const legSettings = {
  legEnabled: setting({
    env: 'HUB_HL_LEG_ENABLED',
    schema: switchWord,
    default: '0',
    live: true,
    doc: "Allows mandates that trade in the owner's venue account. Off: the routes of the leg answer 404 hub_feature_disabled; the stop line and transfers that were sent go on.",
  }),
  legFunding: setting({
    env: 'HUB_LEG_FUNDING',
    schema: z.string().transform((text): 'off' | 'test' => (text.trim() === 'test' ? 'test' : 'off')),
    default: 'off',
    live: true,
    doc: "off or test; anything else is off. test: the vault funds the owner's venue account with test money and gets it back. Requires HUB_HL_LEG_ENABLED.",
  }),
  legSeed: setting({
    env: 'HUB_HL_LEG_SEED',
    schema: key32,
    default: null,
    secret: true,
    doc: 'Seed of the trade-only keys of mandates, 64 hex characters. Another seed orphans every bound leg.',
  }),
  network: setting({
    env: 'HUB_HL_NETWORK',
    schema: z.enum(['testnet', 'mainnet']),
    default: 'testnet',
    doc: 'Network of the venue for the leg.',
  }),
  venueEgress: setting({
    env: 'SVC_VENUE_EGRESS',
    schema: z.string().regex(/^[a-z0-9.-]{1,60}$/, 'must be a name such as the address'),
    default: 'default',
    doc: 'Name of the network address from which this process reaches the venue. Processes with the same name share the weight that the venue allows an address.',
  }),
  venueWeightMinute: setting({
    env: 'SVC_VENUE_WEIGHT_MINUTE',
    schema: wholeNumber(120, 1_000_000_000),
    default: '1200',
    doc: 'Weight of requests that the venue allows one network address per minute; closes have two fifths of it.',
  }),
  infoUrl: setting({
    env: 'HUB_HL_INFO_URL',
    schema: z.string().max(2_000),
    default: null,
    doc: 'Info endpoint of a venue rig; counts on testnet and only as plain http to 127.0.0.1 or localhost, any other value is ignored.',
  }),
  exchangeUrl: setting({
    env: 'HUB_HL_EXCHANGE_URL',
    schema: z.string().max(2_000),
    default: null,
    doc: 'Exchange endpoint of a venue rig; counts on testnet and only as plain http to 127.0.0.1 or localhost, any other value is ignored.',
  }),
  openNotionalMult: setting({
    env: 'HUB_HL_LEG_MAX_OPEN_NOTIONAL_MULT',
    schema: decimal(/^\d{1,4}(\.\d{1,6})?$/, 'must be a number such as 2'),
    default: '2',
    doc: 'Most open notional of a leg, as a multiple of the daily cap of its mandate; checked at each opening order, which counts at its reference price.',
  }),
  slippagePct: setting({
    env: 'HUB_HL_SLIPPAGE_PCT',
    schema: decimal(/^0?\.\d{1,6}$|^0$/, 'must be a fraction between 0 and 0.5').catch('0.05'),
    default: '0.05',
    doc: 'Band of the worst price of an order around the middle price, as a fraction; a value outside 0 to 0.5 is ignored.',
  }),
  dexes: setting({
    env: 'HUB_KEEPER_HL_DEXES',
    schema: z
      .string()
      .transform((text) => [...new Set(text.split(',').map((part) => part.trim()))])
      .pipe(
        z
          .array(z.string().regex(/^[a-z0-9]{0,16}$/))
          .min(1)
          .max(8),
      ),
    default: ',xyz',
    doc: 'Perpetual exchanges (dexes) of the venue that are read, separated by commas; the empty name is the main one.',
  }),
  exitBps: setting({
    env: 'HUB_KEEPER_HL_EXIT_BPS',
    schema: wholeNumber(0, 10_000),
    default: '15',
    doc: 'Allowance for closing all positions, in basis points of their value; worth is reported after it.',
  }),
  readingMaxAgeSec: setting({
    env: 'HUB_KEEPER_HL_MAX_AGE_SEC',
    schema: wholeNumber(1, 86_400),
    default: '120',
    doc: 'Maximum age of an answer of the venue in a mark; with an older one the mark is withheld.',
  }),
  legMinUsdc: setting({
    env: 'HUB_LEG_MIN_USDC',
    schema: decimal(/^\d{1,12}(\.\d{1,6})?$/, 'must be an amount of USDC'),
    default: '6',
    doc: 'Smallest first deposit of a vault with a leg, and smallest first funding of the leg, in USDC.',
  }),
  inflightMaxSec: setting({
    env: 'HUB_LEG_INFLIGHT_MAX_SEC',
    schema: wholeNumber(1, 86_400),
    default: '120',
    doc: 'Seconds after which a transfer that has not moved withholds the mark (leg_transfer_stuck).',
  }),
  returnFallbackSec: setting({
    env: 'HUB_LEG_RETURN_FALLBACK_SEC',
    schema: wholeNumber(60, 30 * 86_400),
    default: '86400',
    doc: 'Seconds after the stop or end of a mandate; then leg money that the owner has not returned is returned at the last good equity.',
  }),
  unexplainedMaxSec: setting({
    env: 'SVC_LEG_UNEXPLAINED_MAX_SEC',
    schema: wholeNumber(1, 86_400),
    default: '300',
    doc: 'Seconds for which the cash of a leg may be unexplained; then its opens are refused (leg_unexplained), and operations are paged.',
  }),
  poolAddress: setting({
    env: 'HUB_HL_TEST_POOL_ADDRESS',
    schema: walletAddress,
    default: null,
    doc: 'Public address of the house pool, which sends and receives test money of legs.',
  }),
  poolKey: setting({
    env: 'HUB_HL_TEST_POOL_KEY',
    schema: key32,
    default: null,
    secret: true,
    doc: "Key of the house pool. It signs the pool's transfers at the venue's testnet and pays gains on the test chain. Rejected on mainnet.",
  }),
  ownerMaxUsdc: setting({
    env: 'SVC_LEG_OWNER_MAX_USDC',
    schema: decimal(/^\d{1,12}(\.\d{1,6})?$/, 'must be an amount of USDC'),
    default: '1000',
    doc: 'Most test money that is lent to one owner, in USDC.',
  }),
  lentMaxUsdc: setting({
    env: 'SVC_LEG_LENT_MAX_USDC',
    schema: decimal(/^\d{1,12}(\.\d{1,6})?$/, 'must be an amount of USDC'),
    default: '100000',
    doc: 'Most test money that is lent to all owners together, in USDC.',
  }),
  legConfirmations: setting({
    env: 'SVC_LEG_CONFIRMATIONS',
    schema: wholeNumber(0, 1_000),
    default: null,
    doc: 'Blocks above the block of fundLeg before the pool sends; 12 if unset, 2 on chain 31337.',
  }),
  stopLineDryRun: setting({
    env: 'HUB_STOP_LINE_DRY_RUN',
    schema: protectingSwitchWord,
    default: '1',
    doc: 'Dry run of the stop-line worker: it reports what it would close and sends no order. Clause 7 reads stored_pending meanwhile.',
  }),
  stopLineSec: setting({
    env: 'HUB_STOP_LINE_SEC',
    schema: wholeNumber(1, 3_600),
    default: '30',
    doc: 'Seconds between two runs of the stop-line worker.',
  }),
  stopLineMax: setting({
    env: 'HUB_STOP_LINE_MAX',
    schema: wholeNumber(1, 1_000),
    default: '20',
    doc: 'Maximum number of mandates that one run of the stop-line worker closes.',
  }),
  transientPageTicks: setting({
    env: 'HUB_STOP_LINE_TRANSIENT_PAGE_TICKS',
    schema: wholeNumber(1, 10_000),
    default: '10',
    doc: 'Number of runs in a row that a close may fail for a passing reason before the worker exits with 1.',
  }),
  moverDryRun: setting({
    env: 'HUB_LEG_MOVER_DRY_RUN',
    schema: protectingSwitchWord,
    default: '1',
    doc: 'Dry run of the leg mover: it reports what it would send.',
  }),
  moverSec: setting({
    env: 'HUB_LEG_MOVER_SEC',
    schema: wholeNumber(1, 3_600),
    default: '30',
    doc: 'Seconds between two runs of the leg mover.',
  }),
  moverMax: setting({
    env: 'HUB_LEG_MOVER_MAX',
    schema: wholeNumber(1, 1_000),
    default: '20',
    doc: 'Maximum number of mandates that one run of the leg mover acts on.',
  }),
  legKeeperSigner: setting({
    env: 'HUB_LEG_KEEPER_SIGNER',
    schema: z.enum(['cdp', 'dev']),
    default: null,
    doc: 'Signer of fundLeg; HUB_KEEPER_MARK_SIGNER if unset.',
  }),
  reconcileDryRun: setting({
    env: 'HUB_LEG_RECONCILE_DRY_RUN',
    schema: protectingSwitchWord,
    default: '1',
    doc: 'Dry run of the leg reconciliation: it compares and reports, and opens no transfer.',
  }),
  reconcileSec: setting({
    env: 'HUB_LEG_RECONCILE_SEC',
    schema: wholeNumber(1, 86_400),
    default: '300',
    doc: 'Seconds between two runs of the leg reconciliation.',
  }),
} as const
