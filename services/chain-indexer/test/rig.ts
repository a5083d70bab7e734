import {
  deployContracts,
  chainOf,
  openChain,
  prepare,
  read,
  termsOf,
  type Deployment,
  type MandateTerms,
  waitForReceipt,
} from '@svc/chain'
import { contract, loadSettings, type Environment } from '@svc/contract'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import { chainIndexerSettings } from '@svc/contracts/chain-indexer/settings'
import { openPool, sql, type Pool } from '@svc/postgres'
import { openLog } from '@svc/service'
import {
  disposableAnvil,
  FakeClock,
  rpcFaultProxy,
  testStack,
  type DisposableAnvil,
  type RpcFaultProxy,
  type TestStack,
} from '@svc/testing'
import { createWalletClient, http, stringToHex, toFunctionSelector, zeroAddress, type Address, type Hex } from 'viem'
import { mnemonicToAccount, type HDAccount } from 'viem/accounts'
import { z } from 'zod'
import type { Context, Settings } from '#context.ts'
import { jobs } from '#jobs.ts'

const account = (index: number) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: index })

export const wallets = {
  admin: account(0),
  keeper: account(1),
  operator: account(2),
  owner: account(3),
  agent: account(4),
  stranger: account(5),
  feeRecipient: account(6),
}

const CHAIN_ID = 31_337
export const USDC = 1_000_000n
export const MARKET = stringToHex('BTC', { size: 32 })
/** The time limit ends what hangs. */
const FAST = { timeoutMs: 60_000, retriesMax: 2, pauseMs: 5 }

/** The asking side of the tests; it owns nothing. */
export const mandates = contract('mandates', { title: 'Mandates', operations: {}, postgres: false })

/** A transaction that was mined, and can be mined again elsewhere. */
export interface Mined {
  readonly hash: Hex
  readonly raw: Hex
  readonly block: number
}

/** A chain of its own with contracts, a funded owner and a test venue. */
export interface ChainRig {
  readonly anvil: DisposableAnvil
  readonly proxy: RpcFaultProxy
  readonly chainId: number
  readonly deployment: Deployment
  at(name: keyof Deployment['contracts']): Address
  /** Sends a call and waits until it is mined, whatever it did. Without `gas` it has plenty. */
  send(from: HDAccount, call: { readonly to: Address; readonly data: Hex }, gas?: bigint): Promise<Mined>
  /** Signs a call for the sender's next nonce, `ahead` further. */
  sign(from: HDAccount, call: { readonly to: Address; readonly data: Hex }, ahead?: number, gas?: bigint): Promise<Hex>
  createVault(mandateId: string, changed?: Partial<MandateTerms>): Promise<Address>
  deposit(vault: Address, usdc: bigint): Promise<Mined>
  buy(vault: Address, usdc: bigint): Promise<Mined>
  head(): Promise<number>
  stop(): Promise<void>
}

const calls = prepare(CHAIN_ID)

/** Calls to a vault that tests use. */
export const vaultCalls = {
  buy: (venue: Address, usdc: bigint) => ({
    target: venue,
    data: calls.venue(venue).buy({ m: MARKET, usdcIn: usdc, minUnits: 0n }).data,
    approveAmount: usdc,
  }),
  of: (vault: Address) => calls.vault(vault),
  ofV2: (vault: Address) => calls.vaultV2(vault),
}

/** A chain of its own, by default with the id of a local one. */
export async function chainRig(chainId = CHAIN_ID): Promise<ChainRig> {
  const anvil = await disposableAnvil()
  if (chainId !== CHAIN_ID) await anvil.request('anvil_setChainId', [chainId])
  const proxy = await rpcFaultProxy(anvil.url)
  const direct = chainOf({ rpcUrl: anvil.url, id: chainId })
  const wallet = (from: HDAccount) => createWalletClient({ account: from, transport: http(anvil.url) })
  const deployment = await deployContracts(direct, wallet(wallets.admin), {
    keeper: wallets.keeper.address,
    operator: wallets.operator.address,
  })
  const at: ChainRig['at'] = (name) => deployment.contracts[name].address
  let signed = 0n
  const sign: ChainRig['sign'] = async (from, { to, data }, ahead = 0, gas = 2_000_000n) => {
    const nonce = await direct.client.getTransactionCount({ address: from.address })
    return from.signTransaction({
      chainId,
      type: 'eip1559',
      nonce: nonce + ahead,
      to,
      data,
      // No two transactions are the same: anvil would take one that a reorganisation dropped for one it knows.
      gas: gas + ++signed,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 0n,
    })
  }
  const send: ChainRig['send'] = async (from, call, gas) => {
    const raw = await sign(from, call, 0, gas)
    const hash = await anvil.request<Hex>('eth_sendRawTransaction', [raw])
    const { blockNumber } = await waitForReceipt(direct, hash)
    // Before a fault of the proxy replaces blocks, the pool has to release it.
    await anvil.mined()
    return { hash, raw, block: Number(blockNumber) }
  }
  const { usdc, venue } = deployment.contracts
  const money = 1_000_000n * USDC
  for (const to of [wallets.owner.address, wallets.stranger.address, wallets.operator.address, venue.address])
    await send(wallets.admin, calls.usdc(usdc.address).mint({ to, amount: money }))
  await send(wallets.admin, calls.venue(venue.address).setPrice({ m: MARKET, price: 60_000n * USDC }))
  const selector = (name: 'buy' | 'sell') =>
    toFunctionSelector(name === 'buy' ? 'buy(bytes32,uint256,uint256)' : 'sell(bytes32,uint256,uint256)')
  return {
    anvil,
    proxy,
    chainId,
    deployment,
    at,
    send,
    sign,
    createVault: async (mandateId, changed = {}) => {
      const leg = (changed.legBudget ?? 0n) > 0n
      const factory = at(leg ? 'factory_v2' : 'factory')
      const terms: MandateTerms = {
        mandateId,
        owner: wallets.owner.address,
        agent: wallets.agent.address,
        feeRecipient: wallets.feeRecipient.address,
        usdc: usdc.address,
        legGateway: leg ? at('leg_gateway') : zeroAddress,
        budget: 500n * USDC,
        perTxCap: 50n * USDC,
        dailyCap: 120n * USDC,
        approvalAbove: null,
        stopLine: 0n,
        legBudget: 0n,
        endsAt: BigInt(await anvil.now()) + 10n * 86_400n,
        feeBps: 1_000n,
        markets: [
          {
            id: 'testvenue',
            title: 'Test venue',
            calls: (['buy', 'sell'] as const).map((name) => ({ target: venue.address, selector: selector(name) })),
          },
        ],
        ...changed,
      }
      const { factoryTerms, mandateIdHash } = termsOf(terms, { chainId, factory })
      await send(wallets.owner, calls[leg ? 'factoryV2' : 'factory'](factory).createVault({ t: factoryTerms }))
      const vault = await read(direct).factory(factory).vaultOf({ owner: wallets.owner.address, mandateIdHash })
      await send(wallets.owner, calls.usdc(usdc.address).approve({ spender: vault, value: money }))
      return vault
    },
    deposit: (vault, amount) => send(wallets.owner, calls.vault(vault).deposit({ amount })),
    buy: (vault, amount) => send(wallets.agent, calls.vault(vault).execute(vaultCalls.buy(venue.address, amount))),
    head: async () => Number(await anvil.request('eth_blockNumber')),
    stop: async () => {
      await proxy.stop()
      await anvil.stop()
    },
  }
}

const outboxRow = z.object({
  subject: z.string().transform((subject) => subject.replace('evt.chain-indexer.', '')),
  payload: z.record(z.string(), z.unknown()),
})

/** What an event says, without its place in the outbox. */
export type Heard = z.output<typeof outboxRow>

/** chain-indexer over a real database, its jobs run by hand. */
export interface Indexer {
  readonly stack: TestStack
  readonly pool: Pool
  readonly context: Context
  readonly clock: FakeClock
  /** Settings that point a service at the same chain. */
  readonly environment: Environment
  with(settings: Partial<Settings>): Context
  run(job: keyof typeof jobs, settings?: Partial<Settings>): Promise<{ done: number } & Record<string, unknown>>
  /** Events waiting in the outbox, in the order in which they leave. */
  heard(): Promise<readonly Heard[]>
  stop(): Promise<void>
}

/** Settings of a deployment on a test chain; everything runs live and at once. */
export function environmentOf(chain: ChainRig, more: Environment = {}): Environment {
  return {
    HUB_RPC_URL: chain.proxy.url,
    HUB_CHAIN_ID: String(chain.chainId),
    HUB_MANDATE_FACTORY_ADDRESS: chain.at('factory'),
    HUB_MANDATE_FACTORY_V2_ADDRESS: chain.at('factory_v2'),
    HUB_USDC_ADDRESS: chain.at('usdc'),
    HUB_VAULT_EVENTS_START_BLOCK: String(chain.deployment.start_block),
    HUB_CONFIRMATIONS: '0',
    HUB_VAULT_EVENTS_DRY_RUN: '0',
    HUB_VAULT_POLL_DRY_RUN: '0',
    HUB_DEPOSIT_WATCH_DRY_RUN: '0',
    ...more,
  }
}

export async function indexerOf(chain: ChainRig, more: Environment = {}): Promise<Indexer> {
  const stack = await testStack([chainIndexer, mandates])
  const pool = await openPool(stack.databaseOf('chain-indexer').url)
  const clock = new FakeClock('2026-11-21T10:00:00.000Z')
  const environment = environmentOf(chain, more)
  const settings = loadSettings(chainIndexerSettings, environment)
  const context: Context = {
    pool,
    clock,
    log: openLog('chain-indexer', 'silent'),
    settings,
    chain: openChain(settings, FAST),
  }
  const withSettings = (changed: Partial<Settings>): Context => ({ ...context, settings: { ...settings, ...changed } })
  return {
    stack,
    pool,
    context,
    clock,
    environment,
    with: withSettings,
    run: (job, changed = {}) => jobs[job](withSettings(changed))(AbortSignal.timeout(600_000)),
    heard: () => pool.any(sql.type(outboxRow)`SELECT subject, payload FROM outbox ORDER BY id`),
    stop: async () => {
      await pool.end()
      await stack.stop()
    },
  }
}

/** Forgets everything, as a new database; the service itself may not. */
export async function emptied(indexer: Indexer): Promise<void> {
  const superuser = await openPool(indexer.stack.databaseOf('chain-indexer').superuserUrl, { size: 1 })
  await superuser.query(sql.unsafe`
    TRUNCATE chain_indexer.cursor, chain_indexer.block_anchor, chain_indexer.vault, chain_indexer.log,
      chain_indexer.revert_attempt, chain_indexer.watched_address, chain_indexer.deposit,
      chain_indexer.watched_transaction, chain_indexer.swept_factory, chain_indexer.outbox`)
  await superuser.end()
}

/** Deposits and reverted calls as stored, but for what depends on how often they were looked at. */
export async function storedFindings(pool: Pool): Promise<readonly (readonly unknown[])[]> {
  const row = z.object({ tx_hash: z.string(), block_hash: z.string(), said: z.unknown() })
  return Promise.all([
    pool.any(sql.type(row)`
      SELECT tx_hash, block_hash, jsonb_build_array(address, amount, status) AS said FROM deposit
      WHERE status <> 'orphaned' ORDER BY tx_hash, address, transfer_ordinal`),
    pool.any(sql.type(row)`
      SELECT tx_hash, block_hash, finding AS said FROM revert_attempt WHERE canonical ORDER BY tx_hash`),
  ])
}

const canonicalRow = z.object({
  tx_hash: z.string(),
  log_ordinal: z.number(),
  block_number: z.number(),
  block_hash: z.string(),
  vault: z.string(),
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
})

/** The canonical facts as stored, in the order of the chain. */
export function storedFacts(pool: Pool) {
  return pool.any(sql.type(canonicalRow)`
    SELECT tx_hash, log_ordinal, block_number, block_hash, vault, name, args FROM log WHERE canonical
    ORDER BY block_number, log_index`)
}

/** Vaults as stored, but for what depends on how often the chain was reorganised. */
export function storedVaults(pool: Pool) {
  return pool.any(sql.type(z.record(z.string(), z.unknown()))`
    SELECT address, factory, version, owner, terms, tx_hash, created_block, books, books_block, differs
    FROM vault WHERE canonical ORDER BY address`)
}

/** What a consumer keeps that applies the highest revision of each fact: those that are canonical, by their identity. */
export function consumed(heard: readonly Heard[]): ReadonlyMap<string, Record<string, unknown>> {
  const facts = new Map<string, Record<string, unknown>>()
  for (const { subject, payload } of heard) {
    if (subject !== 'vaultCreated' && subject !== 'vaultEventSeen') continue
    const key = `${String(payload['tx_hash'])}:${String(payload['log_ordinal'])}`
    if (Number(payload['revision']) > Number(facts.get(key)?.['revision'] ?? 0)) facts.set(key, payload)
  }
  return new Map([...facts].filter(([, { canonical }]) => canonical === true))
}

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
