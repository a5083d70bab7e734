import { protectingSwitchWord, setting, switchWord } from '@svc/contract'
import { z } from 'zod'
import { walletAddress } from '../common.ts'
import { chainSettings, wholeNumber } from '../common/chain-settings.ts'
import { houseSettings } from '../common/house-settings.ts'
import { legSettings } from '../common/leg-settings.ts'

/** Wallet addresses, separated by commas. */
const wallets = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .pipe(z.array(walletAddress).max(1_000))

/** Settings of gallery; names and defaults of `HUB_*` and `SVC_OPVAULT_*` are those of the API document. */
export const gallerySettings = {
  chainId: chainSettings.chainId,
  factoryAddress: chainSettings.factoryAddress,
  factoryV2Address: chainSettings.factoryV2Address,
  deploymentFile: chainSettings.deploymentFile,
  hlLegEnabled: legSettings.legEnabled,
  network: legSettings.network,
  slippagePct: legSettings.slippagePct,
  hallStatementTimeoutMs: setting({
    env: 'HUB_HALL_SNAPSHOT_STMT_TIMEOUT_MS',
    schema: wholeNumber(100, 600_000),
    default: '30000',
    doc: 'Longest statement of the job that computes the Hall, in milliseconds; a pass that reaches it is skipped, and the Hall becomes stale after ten minutes.',
  }),
  hallKeepGoodSec: setting({
    env: 'HUB_HALL_SNAPSHOT_KEEP_GOOD_SEC',
    schema: wholeNumber(0, 604_800),
    default: '3600',
    doc: 'How long the last good row of an agent whose record cannot be built is shown as degraded, in seconds; afterwards its row is a record_error.',
  }),
  hallDryRun: setting({
    env: 'SVC_HALL_SNAPSHOT_DRY_RUN',
    schema: switchWord,
    default: '0',
    doc: 'On: the job computes the Hall and stores nothing, as --dry-run on its command line does for one run.',
  }),
  operatorWallets: setting({
    env: 'SVC_OPERATOR_WALLETS',
    schema: wallets,
    default: '',
    doc: 'Wallets of agents that are operators without an admin, separated by commas.',
  }),
  signalPublishEnabled: setting({
    env: 'SVC_OPVAULT_SIGNAL_PUBLISH_ENABLED',
    schema: switchWord,
    default: '0',
    live: true,
    doc: 'On: operators publish signals. Off: every call answers 503 flag_off and stores nothing, and door 3 is locked.',
  }),
  signalRatePerHour: setting({
    env: 'SVC_OPVAULT_SIGNAL_PUBLISH_RATE_PER_HOUR',
    schema: wholeNumber(1, 1_000_000),
    default: '60',
    doc: 'Most signals of an operator vault in an hour; beyond, 429 rate_limited with retry_at.',
  }),
  houseRunnerId: houseSettings.houseRunnerId,
  houseRunnerKey: setting({
    env: 'HUB_HOUSE_RUNNER_KEY',
    schema: z.string().min(20).max(200),
    default: null,
    secret: true,
    doc: 'API key of the house runner with scope tx, for a live pass only.',
  }),
  houseFollowDryRun: setting({
    env: 'HUB_HOUSE_FOLLOW_DRY_RUN',
    schema: protectingSwitchWord,
    default: '1',
    doc: 'Dry run of the house runner: it stores dry_ verdicts and orders nothing. Only 0, false, no or off makes it order.',
  }),
  houseStatementTimeoutMs: setting({
    env: 'HUB_HOUSE_FOLLOW_STMT_TIMEOUT_MS',
    schema: wholeNumber(100, 600_000),
    default: '30000',
    doc: 'Longest statement of the house runner, in milliseconds.',
  }),
  houseLockTimeoutMs: setting({
    env: 'HUB_HOUSE_FOLLOW_LOCK_TIMEOUT_MS',
    schema: wholeNumber(10, 600_000),
    default: '5000',
    doc: 'Longest wait of the house runner for a lock, in milliseconds.',
  }),
  houseSignalsMax: setting({
    env: 'HUB_HOUSE_FOLLOW_MAX_SIGNALS',
    schema: wholeNumber(1, 1_000),
    default: '20',
    doc: 'Most signals of one mandate that a pass of the house runner decides on.',
  }),
  gatewayUrl: setting({
    env: 'SVC_GATEWAY_URL',
    schema: z.url({ protocol: /^https?$/ }),
    default: 'http://127.0.0.1:8080',
    doc: 'Address of the public API for the orders of the house runner.',
  }),
} as const
