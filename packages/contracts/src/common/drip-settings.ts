import { setting, switchWord } from '@svc/contract'
import { z } from 'zod'
import { walletAddress } from '../common.ts'
import { wholeNumber } from './chain-settings.ts'

/** An amount of ether; parses to wei. */
const ether = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,18})?$/, 'must be an amount of ETH such as 0.002')
  .transform((text) => {
    const [whole = '0', fraction = ''] = text.split('.')
    return BigInt(whole) * 10n ** 18n + BigInt(fraction.padEnd(18, '0'))
  })

/** Chain ids of main networks, on which no gas drip is ever sent, whatever the settings say. */
export const MAIN_CHAIN_IDS: ReadonlySet<number> = new Set([
  1, 10, 25, 30, 40, 56, 61, 100, 122, 130, 137, 143, 146, 169, 204, 250, 252, 288, 324, 480, 988, 999, 1030, 1088,
  1101, 1116, 1135, 1284, 1285, 1329, 1514, 1868, 2020, 2222, 2741, 4689, 5000, 7000, 8217, 8453, 9745, 13_371, 33_139,
  34_443, 42_161, 42_170, 42_220, 42_793, 43_114, 48_900, 57_073, 59_144, 60_808, 80_094, 81_457, 167_000, 534_352,
  747_474, 7_777_777, 1_313_161_554, 1_666_600_000,
])

/** Returns whether drips may be sent on a chain: a configured test chain, and never a main network. */
export const mayDripOn = (chainId: number, testChains: ReadonlySet<number>): boolean =>
  testChains.has(chainId) && !MAIN_CHAIN_IDS.has(chainId)

/** Settings of the gas drip; names and defaults of `HUB_*` are those of the API document. */
export const dripSettings = {
  dripEnabled: setting({
    env: 'HUB_GAS_DRIP_ENABLED',
    schema: switchWord,
    default: '0',
    live: true,
    doc: 'On: POST /hub/gas/drip sends test ETH. Off: it answers status disabled; drips that were decided before are still sent.',
  }),
  dripEth: setting({
    env: 'HUB_GAS_DRIP_ETH',
    schema: ether.refine((wei) => wei > 0n, 'must be above 0'),
    default: '0.002',
    doc: 'Amount of one drip, in ETH.',
  }),
  dripMinBalanceEth: setting({
    env: 'HUB_GAS_DRIP_MIN_BALANCE_ETH',
    schema: ether,
    default: '0.0005',
    doc: 'Balance in ETH under which a wallet gets a drip.',
  }),
  dripDailyMax: setting({
    env: 'HUB_GAS_DRIP_DAILY_MAX',
    schema: wholeNumber(0, 1_000_000),
    default: '50',
    doc: 'Most drips of a UTC day; half of them are kept for accounts with a signed or working mandate.',
  }),
  dripDailyEthMax: setting({
    env: 'HUB_GAS_DRIP_DAILY_ETH_MAX',
    schema: ether,
    default: '0.1',
    doc: 'Most ETH that drips of a UTC day send; half of it is kept for accounts with a signed or working mandate.',
  }),
  dripReserveEth: setting({
    env: 'HUB_GAS_DRIP_RESERVE_ETH',
    schema: ether,
    default: '0.05',
    doc: 'ETH that the funding account keeps; a drip that would leave less after gas answers capped with the reason funding_low.',
  }),
  dripAlertEth: setting({
    env: 'HUB_GAS_DRIP_ALERT_ETH',
    schema: ether,
    default: '0.0521',
    doc: 'Balance of the funding account in ETH under which, once a UTC day, an alert is stored, sent to SVC_OPS_CHAT_ID and logged.',
  }),
  dripFunderWallet: setting({
    env: 'HUB_GAS_DRIP_FUNDER_WALLET',
    schema: walletAddress,
    default: null,
    doc: 'Account that pays drips: the one of SVC_GAS_DRIP_DEV_KEY, otherwise an account at Coinbase CDP. Unset: the account of SVC_GAS_DRIP_DEV_KEY, otherwise the account that marks.',
  }),
  dripDevKey: setting({
    env: 'SVC_GAS_DRIP_DEV_KEY',
    schema: z.string().regex(/^(0x)?[0-9a-fA-F]{64}$/, 'must be 32 bytes in hex'),
    default: null,
    secret: true,
    doc: 'Private key of the account that pays drips, only with an anvil of this machine (loopback RPC, chain 31337).',
  }),
  dripTestChains: setting({
    env: 'SVC_GAS_DRIP_TEST_CHAINS',
    schema: z
      .string()
      .regex(/^\d{1,15}(,\d{1,15})*$/, 'must be chain ids, separated by commas')
      .transform((text): ReadonlySet<number> => new Set(text.split(',').map(Number)))
      .refine((ids) => [...ids].every((id) => !MAIN_CHAIN_IDS.has(id)), 'must not contain the id of a main network'),
    default: '84532,11155111,31337',
    doc: 'Ids of the test chains on which drips may be sent, separated by commas. On any other chain the drip is disabled.',
  }),
} as const
