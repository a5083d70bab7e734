import { setting, switchWord } from '@svc/contract'
import { z } from 'zod'
import { walletAddress, walletList } from '../common.ts'

/** Largest span of one log call, in blocks, that free RPCs support. */
export const GETLOGS_SPAN_CAP = 200

/** A whole number in plain digits. Rejects an empty text, which must not mean 0: that would disable a protection. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max))

const count = (max: number) => wholeNumber(1, max)

/** Settings of services that read the chain: its RPC, the contracts, and the limits of one call. */
export const chainSettings = {
  rpcUrl: setting({
    env: 'HUB_RPC_URL',
    schema: z.url({ protocol: /^https?$/ }),
    default: null,
    secret: true,
    doc: 'RPC for chain reads and receipt checks; without it the service reads no chain.',
  }),
  chainId: setting({
    env: 'HUB_CHAIN_ID',
    schema: count(2 ** 53 - 1),
    default: null,
    doc: 'Chain id that the RPC must serve; required with HUB_RPC_URL unless HUB_DEPLOYMENT_FILE names it.',
  }),
  deploymentFile: setting({
    env: 'HUB_DEPLOYMENT_FILE',
    schema: z.string().min(1).max(4096),
    default: null,
    doc: 'JSON file with chain id, start block, addresses and code hashes. Supplies the factories whose settings are unset, and the USDC address in preference to HUB_USDC_ADDRESS.',
  }),
  factoryAddress: setting({
    env: 'HUB_MANDATE_FACTORY_ADDRESS',
    schema: walletAddress,
    default: null,
    doc: 'Vault factory. Unset and not in the deployment file, or no USDC is known: create-call answers configured: false.',
  }),
  factoryV2Address: setting({
    env: 'HUB_MANDATE_FACTORY_V2_ADDRESS',
    schema: walletAddress.nullable().catch(null),
    default: null,
    doc: 'Vault factory for leg money. Unset or malformed: create-call answers configured: false while leg funding is on.',
  }),
  usdcAddress: setting({
    env: 'HUB_USDC_ADDRESS',
    schema: walletAddress,
    default: null,
    doc: 'USDC address when not in the deployment file. With neither, the deposit watcher uses the built-in USDC of a test chain (Base Sepolia) and logs a warning.',
  }),
  legGatewayAddress: setting({
    env: 'HUB_TEST_LEG_GATEWAY',
    schema: walletAddress,
    default: null,
    doc: "Test gateway contract; create-call pins it as the vault's legGateway from this setting only, never from a request.",
  }),
  testVenueTargets: setting({
    env: 'HUB_TEST_VENUE_TARGETS',
    schema: walletList(32),
    default: '',
    doc: 'Test-venue contract addresses, separated by commas; empty: the test-venue exit adapter is inert.',
  }),
  confirmations: setting({
    env: 'HUB_CONFIRMATIONS',
    schema: wholeNumber(0, 1000),
    default: '2',
    doc: 'Number of blocks below the head at which every chain-log ingest ends.',
  }),
  getLogsMaxAddresses: setting({
    env: 'HUB_GETLOGS_MAX_ADDRESSES',
    schema: count(1000),
    default: '20',
    doc: 'Maximum number of addresses per log call; a 413 halves the address list first.',
  }),
  getLogsMaxSpan: setting({
    env: 'HUB_GETLOGS_MAX_SPAN',
    schema: count(10_000_000),
    default: '200',
    doc: `Maximum number of blocks per log call in every chain read; capped at ${GETLOGS_SPAN_CAP} unless HUB_GETLOGS_ALLOW_LARGE_SPAN=1. Every other span or chunk value is clamped to it.`,
  }),
  getLogsAllowLargeSpan: setting({
    env: 'HUB_GETLOGS_ALLOW_LARGE_SPAN',
    schema: switchWord,
    default: '0',
    doc: '1 removes the cap of HUB_GETLOGS_MAX_SPAN; for a paid RPC only.',
  }),
} as const
