import { protectingSwitchWord, setting } from '@svc/contract'
import { z } from 'zod'
import { chainSettings, wholeNumber } from '../common/chain-settings.ts'
import { dripSettings } from '../common/drip-settings.ts'
import { legSettings } from '../common/leg-settings.ts'
import { telegramSettings } from '../common/telegram-settings.ts'
import { walletAddress } from '../common.ts'
import { workerSettings } from '../common/worker-settings.ts'

const secret = z.string().min(1).max(4_000)

/** Settings of keeper; the names and defaults of `HUB_*` are those of the API document. */
export const keeperSettings = {
  ...workerSettings,
  rpcUrl: chainSettings.rpcUrl,
  chainId: chainSettings.chainId,
  deploymentFile: chainSettings.deploymentFile,
  factoryAddress: chainSettings.factoryAddress,
  factoryV2Address: chainSettings.factoryV2Address,
  usdcAddress: chainSettings.usdcAddress,
  legGatewayAddress: chainSettings.legGatewayAddress,
  testVenueTargets: chainSettings.testVenueTargets,
  confirmations: chainSettings.confirmations,
  getLogsMaxAddresses: chainSettings.getLogsMaxAddresses,
  getLogsMaxSpan: chainSettings.getLogsMaxSpan,
  getLogsAllowLargeSpan: chainSettings.getLogsAllowLargeSpan,
  paymasterUrl: setting({
    env: 'SVC_PAYMASTER_URL',
    schema: z.url({ protocol: /^https?$/ }),
    default: null,
    doc: 'Paymaster for the gas of owners. Not active: no transaction is sponsored, and a start says so.',
  }),
  paymasterKey: setting({
    env: 'SVC_PAYMASTER_KEY',
    schema: secret,
    default: null,
    secret: true,
    doc: 'Key of the paymaster. Not active.',
  }),
  paymasterMethod: setting({
    env: 'SVC_PAYMASTER_METHOD',
    schema: z.string().min(1).max(80),
    default: null,
    doc: 'Method of the paymaster. Not active; without SVC_PAYMASTER_URL a start says that nothing is sponsored.',
  }),
  markDryRun: setting({
    env: 'HUB_KEEPER_MARK_DRY_RUN',
    schema: protectingSwitchWord,
    default: '1',
    doc: 'On: the workers read the chain, store worth rows and log what they would send. 0 sends markWorth and settle from the account of the keeper of the factories.',
  }),
  markSigner: setting({
    env: 'HUB_KEEPER_MARK_SIGNER',
    schema: z.enum(['cdp', 'dev']),
    default: 'cdp',
    doc: 'cdp: the custodial account at Coinbase CDP. dev: HUB_KEEPER_MARK_DEV_KEY, only with an anvil of this machine (loopback RPC, chain 31337).',
  }),
  markDevKey: setting({
    env: 'HUB_KEEPER_MARK_DEV_KEY',
    schema: z.string().regex(/^(0x)?[0-9a-fA-F]{64}$/, 'must be 32 bytes in hex'),
    default: null,
    secret: true,
    doc: 'Private key of the dev signer; local rehearsal only.',
  }),
  markMinDeltaBps: setting({
    env: 'HUB_KEEPER_MARK_MIN_DELTA_BPS',
    schema: wholeNumber(0, 10_000),
    default: '50',
    doc: 'Smallest change of worth against the last mark, in basis points of it, for which a mark is sent. Reaching the stop line ignores it.',
  }),
  markMaxAgeSec: setting({
    env: 'HUB_KEEPER_MARK_MAX_AGE_SEC',
    schema: wholeNumber(60, 30 * 86_400),
    default: '3600',
    doc: 'Maximum age of a mark: after this a new mark is sent even if the worth has not changed.',
  }),
  markMax: setting({
    env: 'HUB_KEEPER_MARK_MAX',
    schema: wholeNumber(1, 1_000),
    default: '50',
    doc: 'Maximum number of transactions that one run of a worker decides on, nearest to their stop line first. It does not limit the vaults read.',
  }),
  markSec: setting({
    env: 'HUB_KEEPER_MARK_SEC',
    schema: wholeNumber(1, 86_400),
    default: '300',
    doc: 'Seconds between two runs of the mark worker, and of the settle worker.',
  }),
  worthHeartbeatSec: setting({
    env: 'HUB_WORTH_MARK_HEARTBEAT_SEC',
    schema: wholeNumber(1, 86_400),
    default: '900',
    doc: 'Maximum age of the last worth row: each run stores a row for every mandate whose worth changed or whose last row is older, even in a dry run.',
  }),
  crossingConfirmSec: setting({
    env: 'SVC_KEEPER_CROSSING_CONFIRM_SEC',
    schema: wholeNumber(0, 600),
    default: '30',
    doc: 'Seconds between the two readings that must agree before a mark at or below the stop line is sent, because it stops the vault permanently.',
  }),
  sendSec: setting({
    env: 'SVC_KEEPER_SEND_SEC',
    schema: wholeNumber(1, 3_600),
    default: '2',
    doc: 'Seconds between two runs of the job that sends and follows transactions.',
  }),
  feeMaxGwei: setting({
    env: 'SVC_KEEPER_FEE_MAX_GWEI',
    schema: wholeNumber(1, 100_000),
    default: '100',
    doc: 'Highest price per unit of gas in gwei; above it transactions wait.',
  }),
  cdpAddress: setting({
    env: 'SVC_KEEPER_CDP_ADDRESS',
    schema: walletAddress,
    default: null,
    doc: 'Address of the account at Coinbase CDP that is the keeper of the factories.',
  }),
  cdpUrl: setting({
    env: 'SVC_KEEPER_CDP_URL',
    schema: z.url({ protocol: /^https?$/ }).refine((text) => {
      const { protocol, hostname } = new URL(text)
      return protocol === 'https:' || ['127.0.0.1', 'localhost'].includes(hostname)
    }, 'must be https, or http on this machine'),
    default: 'https://api.cdp.coinbase.com/platform',
    doc: 'Address of the API of Coinbase CDP.',
  }),
  cdpApiKeyId: setting({
    env: 'CDP_API_KEY_ID',
    schema: secret,
    default: null,
    secret: true,
    doc: 'Id of the API key at Coinbase CDP.',
  }),
  cdpApiKeySecret: setting({
    env: 'CDP_API_KEY_SECRET',
    schema: secret,
    default: null,
    secret: true,
    doc: 'Secret of the API key at Coinbase CDP.',
  }),
  cdpWalletSecret: setting({
    env: 'CDP_WALLET_SECRET',
    schema: secret,
    default: null,
    secret: true,
    doc: 'Wallet secret at Coinbase CDP, required for signing.',
  }),
  legEnabled: legSettings.legEnabled,
  legFunding: legSettings.legFunding,
  network: legSettings.network,
  legMinUsdc: legSettings.legMinUsdc,
  returnFallbackSec: legSettings.returnFallbackSec,
  poolAddress: legSettings.poolAddress,
  poolKey: legSettings.poolKey,
  ownerMaxUsdc: legSettings.ownerMaxUsdc,
  lentMaxUsdc: legSettings.lentMaxUsdc,
  legConfirmations: legSettings.legConfirmations,
  moverDryRun: legSettings.moverDryRun,
  moverSec: legSettings.moverSec,
  moverMax: legSettings.moverMax,
  legKeeperSigner: legSettings.legKeeperSigner,
  reconcileDryRun: legSettings.reconcileDryRun,
  reconcileSec: legSettings.reconcileSec,
  ...dripSettings,
  telegramUrl: telegramSettings.url,
  opsChatId: telegramSettings.opsChatId,
  opsBotToken: telegramSettings.opsBotToken,
} as const
