import { chainOf, deployContracts, type Chain, type Deployment } from '@svc/chain'
import { ok, type Caller, type Environment } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { identity } from '@svc/contracts/identity'
import { mandates } from '@svc/contracts/mandates'
import { openPool, type Pool } from '@svc/postgres'
import {
  clientOf,
  openBus,
  openLog,
  type AnyHandler,
  type Bus,
  type CallOptions,
  type Clock,
  type Overrides,
  type RunningService,
} from '@svc/service'
import {
  disposableAnvil,
  eventually,
  rpcFaultProxy,
  testStack,
  type DisposableAnvil,
  type RpcFaultProxy,
  startPeer,
} from '@svc/testing'
import { createWalletClient, http, type Account, type Hex, type LocalAccount } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { mainOf } from '../../dev/services.ts'

const account = (index: number) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: index })
export const [admin, keeper, operator] = [account(0), account(1), account(2)]

/** A separate chain with the contracts. */
export interface TestChain {
  readonly anvil: DisposableAnvil
  /** Proxy through which the services read the chain. */
  readonly proxy: RpcFaultProxy
  readonly chain: Chain
  readonly deployment: Deployment
  /** Sends a call and waits until it is mined, also if it reverts. */
  send(from: LocalAccount, call: { readonly to: string; readonly data: string }): Promise<Hex>
  stop(): Promise<void>
}

export async function startChain(): Promise<TestChain> {
  const anvil = await disposableAnvil()
  const proxy = await rpcFaultProxy(anvil.url)
  const chain = chainOf({ rpcUrl: anvil.url, id: anvil.chainId, confirmations: 0 })
  const wallet = (from: Account) => createWalletClient({ account: from, transport: http(anvil.url) })
  const deployment = await deployContracts(chain, wallet(admin), {
    keeper: keeper.address,
    operator: operator.address,
  })
  let sent = 0n
  return {
    anvil,
    proxy,
    chain,
    deployment,
    send: async (from, { to, data }) => {
      const raw = await from.signTransaction({
        chainId: anvil.chainId,
        type: 'eip1559',
        nonce: await chain.client.getTransactionCount({ address: from.address }),
        to: to as Hex,
        data: data as Hex,
        // Every transaction differs: anvil would mistake an equal one for the one that a reorganisation dropped.
        gas: 2_000_000n + ++sent,
        maxFeePerGas: 10_000_000_000n,
        maxPriorityFeePerGas: 0n,
      })
      const hash = await anvil.request<Hex>('eth_sendRawTransaction', [raw])
      // Not by viem, which polls only at new blocks: a receipt may appear a moment after its block.
      await eventually(async () => expect(await anvil.request('eth_getTransactionReceipt', [hash])).not.toBeNull(), {
        everyMs: 5,
      })
      return hash
    },
    stop: async () => {
      await proxy.stop()
      await anvil.stop()
    },
  }
}

/** Replaces the newest blocks and mines the first `kept` of their transactions again, some blocks later than before. */
export async function reorganise(
  { anvil }: TestChain,
  { depth, kept, later }: { readonly depth: number; readonly kept: number; readonly later: number },
): Promise<void> {
  const head = Number(await anvil.request('eth_blockNumber'))
  const raws: [string, number][] = []
  for (let number = head - depth + 1; number <= head; number++) {
    const block = [`0x${number.toString(16)}`, false]
    const { transactions } = await anvil.request<{ transactions: string[] }>('eth_getBlockByNumber', block)
    for (const hash of transactions) {
      const place = Math.min(depth - 1, number - (head - depth + 1) + later)
      raws.push([await anvil.request<string>('eth_getRawTransactionByHash', [hash]), place])
    }
  }
  // A prefix of the transactions, so that no nonce is missing.
  await anvil.reorg(depth, raws.slice(0, kept))
}

/** Accounts of the tests: owners have odd wallets, agents even ones. */
export const walletOf = (n: number): LocalAccount =>
  privateKeyToAccount(`0x${(n + 1_000).toString(16).padStart(64, '0')}`)
export const callerOf = (account_id: number, kind: 'owner' | 'agent'): Caller => ({
  account_id,
  kind,
  wallet: walletOf(account_id).address,
  roles: [],
  scopes: ['read', 'write'],
  tier: 0,
  key_id: null,
  session_id: null,
})

const clientFor = (bus: Bus, usual: CallOptions) => clientOf(bus, 'gateway', mandates, usual)
export type Client = ReturnType<typeof clientFor>

/** NATS and Postgres with roles, schemas and streams. */
export interface Servers {
  environmentOf(service: string, more?: Environment): Environment
  stop(): Promise<void>
}

/** Any number of instances of chain-indexer and mandates, with separate NATS and Postgres. */
export interface Stack {
  readonly bus: Bus
  /** Databases of the two services. */
  readonly pools: { readonly mandates: Pool; readonly chainIndexer: Pool }
  environmentOf(service: 'mandates' | 'chain-indexer' | 'keeper'): Environment
  /** Starts an instance in this process. */
  start(service: 'mandates' | 'chain-indexer', clock?: Clock): Promise<void>
  /** Runs the keeper's mark as a dry run, which stores the worth of every vault and sends nothing. */
  mark(clock: Clock): Promise<void>
  as(caller: Caller): Client
  stop(): Promise<void>
}

/** Returns settings for a test chain with live jobs and short intervals. */
function settingsOf({ anvil, proxy, deployment: { contracts: at, start_block } }: TestChain): Environment {
  return {
    HUB_RPC_URL: proxy.url,
    HUB_CHAIN_ID: String(anvil.chainId),
    HUB_MANDATE_FACTORY_ADDRESS: at.factory.address,
    HUB_MANDATE_FACTORY_V2_ADDRESS: at.factory_v2.address,
    HUB_USDC_ADDRESS: at.usdc.address,
    HUB_TEST_VENUE_TARGETS: at.venue.address,
    HUB_VAULT_EVENTS_START_BLOCK: String(start_block),
    HUB_CONFIRMATIONS: '0',
    HUB_VAULT_EVENTS_DRY_RUN: '0',
    HUB_VAULT_POLL_DRY_RUN: '0',
    HUB_DEPOSIT_WATCH_DRY_RUN: '0',
    HUB_VAULT_EVENTS_SEC: '1',
    HUB_VAULT_EVENTS_MAX_SPAN: '4',
    HUB_POLL_SECONDS: '1',
    SVC_LOG_LEVEL: 'silent',
  }
}

type Start = (environment: Environment, overrides: Overrides) => Promise<RunningService>
const startOf = async (service: string): Promise<Start> => ((await import(mainOf(service))) as { start: Start }).start

type RunJob = (name: string, environment: Environment, overrides: Overrides) => Promise<number>
const keeperRuns = async (): Promise<RunJob> => ((await import(mainOf('keeper'))) as { runJob: RunJob }).runJob

export async function startStack(chain: TestChain, given?: Servers): Promise<Stack> {
  const servers = given ?? (await testStack(contracts, ['mandates', 'chain-indexer', 'keeper']))
  const accounts = await startAccounts(servers)
  const { SVC_NATS_URL: url = '', SVC_NATS_SEED: seed = null } = servers.environmentOf('gateway')
  const bus = await openBus({ url, name: 'gateway', seed, log: openLog('gateway', 'silent') })
  const poolOf = (service: string, size: number) =>
    openPool(servers.environmentOf(service)['SVC_POSTGRES_URL'] ?? '', { size })
  const pools = { mandates: await poolOf('mandates', 4), chainIndexer: await poolOf('chain-indexer', 2) }
  const running: RunningService[] = []
  const environmentOf = (service: string) => servers.environmentOf(service, settingsOf(chain))
  return {
    bus,
    pools,
    environmentOf,
    start: async (service, clock) => {
      const start = await startOf(service)
      const overrides = { log: openLog(service, 'silent'), ...(clock === undefined ? {} : { clock }) }
      running.push(await start(environmentOf(service), overrides))
    },
    mark: async (clock) => {
      const settings = { ...environmentOf('keeper'), HUB_KEEPER_MARK_DRY_RUN: '1', HUB_WORTH_MARK_HEARTBEAT_SEC: '1' }
      const overrides = { clock, log: openLog('keeper', 'silent') }
      if ((await (await keeperRuns())('mark', settings, overrides)) !== 0) throw new Error('the keeper could not mark')
    },
    as: (caller) => clientFor(bus, { caller }),
    stop: async () => {
      await Promise.all(running.map((one) => one.stop()))
      await bus.close()
      await accounts.stop()
      await Promise.all(Object.values(pools).map((pool) => pool.end()))
      await servers.stop()
    },
  }
}

/** Starts a stand-in for identity whose agents accept every mandate; these tests have no accounts. */
function startAccounts(servers: Servers): Promise<RunningService> {
  const readAgents: AnyHandler = async ({ agent_ids }: { agent_ids: number[] }) =>
    ok(200, {
      agents: agent_ids.map((agent_id) => ({
        agent_id,
        name: `agent ${agent_id}`,
        wallet: walletOf(agent_id).address,
        owner: null,
        policy: {
          accepts_mandates: true,
          max_open_mandates: null,
          max_budget_usdc: null,
          per_tx_cap_usdc: null,
          daily_cap_usdc: null,
          allowed_markets: null,
          approval_above_usdc: null,
          daily_cherry_budget: null,
        },
        access_ends_at: null,
        last_seen_at: null,
        channel: null,
      })),
    })
  const signRecordHead: AnyHandler = async () => ok(200, { jws: 'e30.e30.e30' })
  const readHallOwners: AnyHandler = async ({ owner_ids }: { owner_ids: number[] }) =>
    ok(200, { owners: owner_ids.map(() => null) })
  const readHallAgents: AnyHandler = async ({ agent_ids }: { agent_ids: number[] }) =>
    ok(200, { agents: agent_ids.map(() => null) })
  const listHallAgents: AnyHandler = async () => ok(200, { agent_ids: [] })
  return startPeer(servers, identity, {
    answers: { readAgents, signRecordHead, readHallOwners, readHallAgents, listHallAgents },
  })
}
