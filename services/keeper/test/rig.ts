import {
  chainOf,
  deployContracts,
  openChain,
  prepare,
  read,
  termsOf,
  testVenueAdapters,
  type Deployment,
  type MandateTerms,
  waitForReceipt,
} from '@svc/chain'
import { loadSettings, ok, type Contract, type Environment, type InputOf } from '@svc/contract'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { VaultRow } from '@svc/contracts/chain-indexer/vaults'
import { gateway } from '@svc/contracts/gateway'
import { hlLeg } from '@svc/contracts/hl-leg'
import { keeper } from '@svc/contracts/keeper'
import { mandates } from '@svc/contracts/mandates'
import { openPool, workerTransaction, type Pool } from '@svc/postgres'
import { clientOf, openLog, Outage, type AnyHandler, type RunningService } from '@svc/service'
import {
  disposableAnvil,
  FakeClock,
  rpcFaultProxy,
  testStack,
  type DisposableAnvil,
  type RpcFaultProxy,
  type TestStack,
  startPeer,
} from '@svc/testing'
import {
  createWalletClient,
  http,
  stringToHex,
  toFunctionSelector,
  zeroAddress,
  zeroHash,
  type Address,
  type Hex,
} from 'viem'
import { mnemonicToAccount, type HDAccount } from 'viem/accounts'
import { legsOf, operatorsOf, sendersOf, type Context, type Settings } from '#context.ts'
import type { WorthRow } from '#marks/rules/worth-row.ts'
import { keeperSettings } from '@svc/contracts/keeper/settings'
import { jobs } from '#jobs.ts'
import { openFunder } from '#signers/open-funder.ts'
import { openSigners } from '#signers/open-signer.ts'
import { openPool as openHousePool } from '#signers/pool.ts'
import type { Signer } from '#signers/signer.ts'

const account = (index: number) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: index })
export const wallets = {
  admin: account(0),
  keeper: account(1),
  operator: account(2),
  owner: account(3),
  agent: account(4),
}
export const KEEPER_KEY = `0x${Buffer.from(wallets.keeper.getHdKey().privateKey ?? []).toString('hex')}` as const

const CHAIN_ID = 31_337
export const USDC = 1_000_000n
export const MARKET = stringToHex('BTC', { size: 32 })
const PRICE = 60_000n * USDC
export const calls = prepare(CHAIN_ID)
const selectorOf = (name: 'buy' | 'sell') =>
  toFunctionSelector(name === 'buy' ? 'buy(bytes32,uint256,uint256)' : 'sell(bytes32,uint256,uint256)')

/** A vault of a mandate on the test chain. */
export interface TestVault {
  readonly publicId: string
  readonly address: Address
}

/** A chain with the contracts, an owner with USDC, a venue with money and a price, and a proxy with faults before it. */
export interface ChainRig {
  readonly anvil: DisposableAnvil
  readonly proxy: RpcFaultProxy
  readonly deployment: Deployment
  readonly chain: ReturnType<typeof chainOf>
  at(name: keyof Deployment['contracts']): Address
  send(from: HDAccount, call: { readonly to: Address; readonly data: Hex }): Promise<Hex>
  /** Creates a vault and pays in. */
  vault(usdc: bigint, changed?: Partial<MandateTerms>): Promise<TestVault>
  /** Creates a vault at the v2 factory, whose leg may get `legBudget`, and pays in. */
  legVault(usdc: bigint, changed?: Partial<MandateTerms>): Promise<TestVault>
  /** Deploys a gateway with another operator and its factory; `at` names these from now on. */
  newGateway(operator: Address): Promise<void>
  buy(vault: TestVault, usdc: bigint): Promise<Hex>
  /** Moves the venue's price to so many percent of the first one. */
  price(percent: bigint): Promise<Hex>
  readonly rows: Map<Address, VaultRow>
  stop(): Promise<void>
}

export async function chainRig(): Promise<ChainRig> {
  const anvil = await disposableAnvil()
  const proxy = await rpcFaultProxy(anvil.url)
  const chain = chainOf({ rpcUrl: anvil.url, id: CHAIN_ID })
  const wallet = (from: HDAccount) => createWalletClient({ account: from, transport: http(anvil.url) })
  const deploy = (operator: Address) =>
    deployContracts(chain, wallet(wallets.admin), { keeper: wallets.keeper.address, operator })
  const deployment = await deploy(wallets.operator.address)
  let { contracts } = deployment
  const at: ChainRig['at'] = (name) => contracts[name].address
  const send: ChainRig['send'] = async (from, { to, data }) => {
    const hash = await wallet(from).sendTransaction({ chain: null, to, data, gas: 3_000_000n })
    const { status } = await waitForReceipt(chain, hash)
    if (status !== 'success') throw new Error(`${hash} reverted`)
    // Before a fault of the proxy replaces blocks, the pool has to release it.
    await anvil.mined()
    return hash
  }
  const venue = at('venue')
  for (const to of [wallets.owner.address, venue])
    await send(wallets.admin, calls.usdc(at('usdc')).mint({ to, amount: 1_000_000n * USDC }))
  const price: ChainRig['price'] = (percent) =>
    send(wallets.admin, calls.venue(venue).setPrice({ m: MARKET, price: (PRICE * percent) / 100n }))
  await price(100n)
  const rows = new Map<Address, VaultRow>()
  let made = 0
  const newVault = async (version: 1 | 2, usdc: bigint, changed: Partial<MandateTerms>): Promise<TestVault> => {
    const publicId = `mdt_${(++made).toString(16).padStart(32, '0')}`
    const terms = await termsAt(publicId, { usdc: at('usdc'), venue, anvil, changed })
    const factory = at(version === 1 ? 'factory' : 'factory_v2')
    const signable = termsOf(terms, { chainId: CHAIN_ID, factory })
    const { factoryTerms: t, mandateIdHash } = signable
    await send(wallets.owner, calls.factory(factory).createVault({ t }))
    const address = await read(chain).factory(factory).vaultOf({ owner: wallets.owner.address, mandateIdHash })
    rows.set(address, { ...rowOf(address, factory, mandateIdHash, terms), version })
    if (usdc > 0n) {
      await send(wallets.owner, calls.usdc(at('usdc')).approve({ spender: address, value: usdc }))
      await send(wallets.owner, calls.vault(address).deposit({ amount: usdc }))
    }
    return { publicId, address }
  }
  return {
    anvil,
    proxy,
    deployment,
    chain,
    at,
    send,
    price,
    rows,
    newGateway: async (operator) => {
      contracts = (await deploy(operator)).contracts
    },
    vault: (usdc, changed = {}) => newVault(1, usdc, changed),
    legVault: (usdc, changed = {}) =>
      newVault(2, usdc, { legGateway: at('leg_gateway'), legBudget: 200n * USDC, ...changed }),
    buy: ({ address }, usdc) => {
      const { data } = calls.venue(venue).buy({ m: MARKET, usdcIn: usdc, minUnits: 0n })
      return send(wallets.agent, calls.vault(address).execute({ target: venue, data, approveAmount: usdc }))
    },
    stop: async () => {
      await proxy.stop()
      await anvil.stop()
    },
  }
}

async function termsAt(
  mandateId: string,
  place: { usdc: Address; venue: Address; anvil: DisposableAnvil; changed: Partial<MandateTerms> },
): Promise<MandateTerms> {
  return {
    mandateId,
    owner: wallets.owner.address,
    agent: wallets.agent.address,
    feeRecipient: wallets.agent.address,
    usdc: place.usdc,
    legGateway: zeroAddress,
    budget: 500n * USDC,
    perTxCap: 500n * USDC,
    dailyCap: 500n * USDC,
    approvalAbove: null,
    stopLine: 300n * USDC,
    legBudget: 0n,
    endsAt: BigInt(await place.anvil.now()) + 10n * 86_400n,
    feeBps: 1_000n,
    markets: [
      {
        id: 'testvenue',
        title: 'Test venue',
        calls: (['buy', 'sell'] as const).map((name) => ({ target: place.venue, selector: selectorOf(name) })),
      },
    ],
    ...place.changed,
  }
}

/** The row that chain-indexer answers with; keeper reads the terms of it alone. */
function rowOf(vault: Address, factory: Address, mandateIdHash: Hex, terms: MandateTerms): VaultRow {
  return {
    vault,
    factory,
    version: 1,
    owner: terms.owner,
    mandate_id_hash: mandateIdHash,
    terms_hash: zeroHash,
    terms: {
      owner: terms.owner,
      agent: terms.agent,
      fee_recipient: terms.feeRecipient,
      usdc: terms.usdc,
      leg_gateway: terms.legGateway,
      budget: String(terms.budget),
      per_tx_cap: String(terms.perTxCap),
      daily_cap: String(terms.dailyCap),
      approval_above: '0',
      stop_line: String(terms.stopLine),
      leg_budget: '0',
      ends_at: String(terms.endsAt),
      fee_bps: String(terms.feeBps),
      mandate_id_hash: mandateIdHash,
      clauses_hash: zeroHash,
      calls: terms.markets.flatMap((market) => market.calls.map((call) => ({ ...call }))),
    },
    tx_hash: zeroHash,
    created_block: 1,
    created_time: '2026-11-21T10:00:00.000Z',
    revision: 1,
    canonical: true,
    books: {
      agent: terms.agent,
      accounted: '0',
      principal: '0',
      withdrawn: '0',
      fee_total: '0',
      fee_owed: '0',
      used_amount: '0',
      used_day: '0',
      last_worth: '0',
      marked_at: '0',
      stop_reason: 0,
      stopped_at: '0',
      settled: false,
      leg_out: '0',
      leg_open: false,
      leg_seq: '0',
      leg_funded: '0',
      leg_returned: '0',
    },
    books_block: 1,
    differs: [],
  }
}

/** What the neighbours know and were told. */
type WorkerRun = InputOf<typeof mandates.operations.noteWorker>

export interface Neighbours {
  /** Vaults that mandates follows, with their state there. */
  readonly followed: Map<string, { readonly vault: Address; state: string }>
  /** Worth rows that were stored, oldest first. */
  readonly rows: (WorthRow & { readonly public_id: string })[]
  /** Runs of workers that were noted, oldest first. */
  readonly runs: WorkerRun[]
  mandatesIsAway: boolean
  /** Happens after rows were stored and before that is answered. */
  afterStoring: (() => Promise<void>) | null
}

/** keeper's database and neighbours, and its workers run by hand. */
export interface Rig {
  readonly stack: TestStack
  readonly pool: Pool
  readonly clock: FakeClock
  readonly neighbours: Neighbours
  readonly environment: Environment
  context(changed?: Partial<Settings>, signer?: Signer | null): Promise<Context>
  /** Runs a job once, and waits until what it sent is mined. */
  run(job: keyof typeof jobs, changed?: Partial<Settings>, signer?: Signer | null): Promise<Record<string, number>>
  follow(vault: TestVault, state?: string): void
  stop(): Promise<void>
}

/** Settings of a live keeper with the dev signer on the test chain. */
export const environmentOf = (chain: ChainRig, more: Environment = {}): Environment => ({
  HUB_RPC_URL: chain.proxy.url,
  HUB_CHAIN_ID: String(CHAIN_ID),
  HUB_MANDATE_FACTORY_ADDRESS: chain.at('factory'),
  HUB_USDC_ADDRESS: chain.at('usdc'),
  HUB_TEST_VENUE_TARGETS: chain.at('venue'),
  HUB_CONFIRMATIONS: '0',
  HUB_KEEPER_MARK_DRY_RUN: '0',
  HUB_KEEPER_MARK_SIGNER: 'dev',
  HUB_KEEPER_MARK_DEV_KEY: KEEPER_KEY,
  SVC_KEEPER_CROSSING_CONFIRM_SEC: '0',
  ...more,
})

/** The time limit ends what hangs. */
const FAST = { timeoutMs: 60_000, retriesMax: 2, pauseMs: 5 }

/** The neighbours answer from memory and hear nothing. */
const neighbourContracts = [mandates, chainIndexer, hlLeg].map(
  (contract) => ({ ...contract, consumes: [], postgres: false }) as unknown as Contract,
)

/** Calls the operations of keeper for users; it has no database here. */
const caller = { ...gateway, postgres: false } as unknown as Contract

/** What another test than those of marks needs besides: settings, and answers of neighbours. */
export interface RigOptions {
  readonly environment?: Environment
  /** Answers by service and operation. */
  readonly answers?: Readonly<Record<string, Record<string, AnyHandler>>>
}

export async function startRig(chain: ChainRig, options: RigOptions = {}): Promise<Rig> {
  const stack = await testStack([keeper as unknown as Contract, caller, ...neighbourContracts])
  const neighbours: Neighbours = { followed: new Map(), rows: [], runs: [], mandatesIsAway: false, afterStoring: null }
  const services = await startNeighbours(stack, chain, neighbours, options.answers ?? {})
  const pool = await openPool(stack.databaseOf('keeper').url)
  const bus = await stack.nats.connect('keeper')
  const clock = new FakeClock(new Date((await chain.anvil.now()) * 1000))
  const environment = environmentOf(chain, options.environment)
  const context: Rig['context'] = async (changed = {}, signer) => {
    const settings = { ...loadSettings(keeperSettings, environment), ...changed }
    const opened = openChain(settings, FAST)
    const signers = await openSigners(settings)
    const mark = signer === undefined ? signers.mark : signer
    const funder = await openFunder(settings, mark)
    const legs = opened === null ? null : legsOf(opened, settings, signers, openHousePool(settings))
    return {
      transaction: (work) => workerTransaction(pool, settings, work),
      clock,
      log: openLog('keeper', 'silent'),
      settings,
      chain: opened,
      signer: mark,
      senders: sendersOf(mark, legs),
      legs,
      funder,
      operators: operatorsOf(settings),
      adapters: testVenueAdapters(opened?.addresses.testVenues ?? []),
      ask: {
        mandates: clientOf(bus, 'keeper', mandates),
        chain: clientOf(bus, 'keeper', chainIndexer),
        legs: clientOf(bus, 'keeper', hlLeg),
      },
    }
  }
  return {
    stack,
    pool,
    clock,
    neighbours,
    environment,
    context,
    run: async (job, changed, signer) => {
      const built = await context(changed, signer)
      // The clock of the house and that of the chain agree.
      clock.set(new Date(Math.max(clock.now().getTime(), (await chain.anvil.now()) * 1000)))
      const report = await jobs[job](built)(AbortSignal.timeout(600_000))
      await chain.anvil.mined()
      return report as unknown as Record<string, number>
    },
    follow: ({ publicId, address }, state = 'working') => neighbours.followed.set(publicId, { vault: address, state }),
    stop: async () => {
      await bus.close()
      for (const service of services) await service.stop()
      await pool.end()
      await stack.stop()
    },
  }
}

async function startNeighbours(
  stack: TestStack,
  chain: ChainRig,
  world: Neighbours,
  more: NonNullable<RigOptions['answers']>,
): Promise<RunningService[]> {
  const listVaultsToMark: AnyHandler = async ({ after, limit }: { after?: string; limit: number }) => {
    if (world.mandatesIsAway) throw new Outage('test', 'mandates is away')
    const all = [...world.followed].filter(([publicId]) => after === undefined || publicId > after).slice(0, limit)
    const newest = (publicId: string) => {
      const row = world.rows.findLast(({ public_id }) => public_id === publicId)
      return row === undefined ? null : { at: row.at, worth_usdc: row.worth_usdc, withheld_reason: row.withheld_reason }
    }
    const vaults = all.map(([public_id, { vault, state }]) => ({
      public_id,
      chain_id: CHAIN_ID,
      vault,
      state,
      newest: newest(public_id),
    }))
    return ok(200, { vaults })
  }
  const storeWorth: AnyHandler = async ({ rows }: { rows: { public_id: string; row: WorthRow }[] }) => {
    if (world.mandatesIsAway) throw new Outage('test', 'mandates is away')
    world.rows.push(...rows.map(({ public_id, row }) => ({ ...row, public_id })))
    await world.afterStoring?.()
    return ok(200, { ok: true as const, stored: rows.length, unknown: [] })
  }
  const noteWorker: AnyHandler = async (run: WorkerRun) => {
    world.runs.push(run)
    return ok(200, { ok: true as const })
  }
  const readVaults: AnyHandler = async ({ vaults }: { vaults: Address[] }) =>
    ok(200, { vaults: vaults.flatMap((vault) => chain.rows.get(vault) ?? []) })
  const answered: Record<string, Record<string, AnyHandler>> = {
    mandates: { listVaultsToMark, storeWorth, noteWorker },
    'chain-indexer': { readVaults },
  }
  return Promise.all(
    neighbourContracts.map((contract) =>
      startPeer(stack, contract, { answers: { ...answered[contract.name], ...more[contract.name] } }),
    ),
  )
}
