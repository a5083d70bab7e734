import { readFileSync } from 'node:fs'
import type { Environment } from '@svc/contract'
import {
  chainOf,
  deployContracts,
  parseDeployment,
  prepare,
  read,
  writeDeployment,
  type Chain,
  type Deployment,
} from '@svc/chain'
import type { AssetPrices } from '@svc/replay-exchange'
import { LOCAL_CHAIN_ID, type DataFolder } from '@svc/servers'
import { toHex, type Hex } from 'viem'
import type { HDAccount } from 'viem/accounts'
import { devWallets, type DevWallets } from './dev-wallets.ts'
import { send, walletClient } from './send-call.ts'
import { openMarkets, VENUE_MARKETS } from './venue-prices.ts'

/** The local chain with its contracts. */
export interface LocalChain {
  readonly url: string
  readonly chain: Chain
  readonly deployment: Deployment
  readonly wallets: DevWallets
  /** File that names the contracts to services and scripts (`HUB_DEPLOYMENT_FILE`). */
  readonly deploymentFile: string
  /** Settings for services that use the chain; each service gets those that it declares. */
  readonly environment: Environment
}

/**
 * Switches that a local chain sets: its workers may act, because nothing of value is at risk, and wait for no
 * confirmations, because blocks come with transactions and are never replaced.
 */
export const LIVE_SWITCHES: Environment = {
  HUB_VAULT_EVENTS_DRY_RUN: '0',
  HUB_VAULT_POLL_DRY_RUN: '0',
  HUB_DEPOSIT_WATCH_DRY_RUN: '0',
  HUB_VAULT_EVENTS_SEC: '2',
  HUB_POLL_SECONDS: '2',
  HUB_VAULT_POLL_SEC: '10',
  HUB_CONFIRMATIONS: '0',
  HUB_KEEPER_MARK_DRY_RUN: '0',
  HUB_KEEPER_MARK_SIGNER: 'dev',
  HUB_KEEPER_MARK_SEC: '5',
  SVC_KEEPER_CROSSING_CONFIRM_SEC: '2',
  SVC_KEEPER_SEND_SEC: '1',
  HUB_GAS_DRIP_ENABLED: '1',
  HUB_DOOR_ENABLED: '1',
}

const USDC = 1_000_000n
const WALLET_USDC_MIN = 10_000n * USDC
const WALLET_USDC = 100_000n * USDC
const VENUE_USDC_MIN = 1_000_000n * USDC

/**
 * Deploys missing contracts to the chain of a data folder, funds the demo wallets and the venue, and opens its markets, at
 * the prices of a source if one is given. Safe to repeat.
 */
export async function prepareChain(
  url: string,
  folder: Pick<DataFolder, 'file' | 'readJson' | 'write'>,
  prices?: AssetPrices,
): Promise<LocalChain> {
  const wallets = await devWallets(url)
  const chain = chainOf({ rpcUrl: url, id: LOCAL_CHAIN_ID })
  const deploymentFile = folder.file('deployment.json')
  const deployment = await deployContracts(chain, walletClient(url, wallets.admin), {
    keeper: wallets.keeper.address,
    operator: wallets.operator.address,
    previous: previousDeployment(deploymentFile),
  })
  await writeDeployment(deploymentFile, deployment)
  const { venue, leg_gateway } = deployment.contracts
  await fund({ url, chain, deployment, wallets })
  await openMarkets({ url, chain, deployment, admin: wallets.admin }, folder, prices)
  return {
    url,
    chain,
    deployment,
    wallets,
    deploymentFile,
    environment: {
      HUB_RPC_URL: url,
      HUB_DEPLOYMENT_FILE: deploymentFile,
      HUB_CHAIN_ID: String(deployment.chain_id),
      HUB_TEST_LEG_GATEWAY: leg_gateway.address,
      HUB_TEST_VENUE_TARGETS: venue.address,
      HUB_TEST_VENUE_INSTRUMENTS: VENUE_MARKETS.join(','),
      HUB_KEEPER_MARK_DEV_KEY: keyOf(wallets.keeper),
      SVC_GAS_DRIP_DEV_KEY: keyOf(wallets.funder),
      SVC_SIWE_CHAIN_ID: String(LOCAL_CHAIN_ID),
      ...LIVE_SWITCHES,
    },
  }
}

const keyOf = (account: HDAccount): Hex => toHex(account.getHdKey().privateKey ?? new Uint8Array())

/** Returns the deployment in a file; null if the file is missing or unreadable, and is then rewritten. */
function previousDeployment(file: string): Deployment | null {
  try {
    return parseDeployment(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

async function fund({
  url,
  chain,
  deployment,
  wallets,
}: Pick<LocalChain, 'url' | 'chain' | 'deployment' | 'wallets'>): Promise<void> {
  const { usdc, venue } = deployment.contracts
  const wanted = [
    ...wallets.demo.map(({ address }) => ({ address, least: WALLET_USDC_MIN, amount: WALLET_USDC })),
    { address: venue.address, least: VENUE_USDC_MIN, amount: VENUE_USDC_MIN * 10n },
  ]
  const minted = wanted.map(async ({ address, least, amount }) => {
    const balance = await read(chain).usdc(usdc.address).balanceOf({ account: address })
    return balance < least
      ? prepare(chain.id)
          .usdc(usdc.address)
          .mint({ to: address, amount: amount - balance })
      : null
  })
  const calls = (await Promise.all(minted)).filter((call) => call !== null)
  for (const call of calls) await send(chain, url, wallets.admin, call)
}
