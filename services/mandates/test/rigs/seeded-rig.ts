import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { CLAUSE_EDITION, prepare } from '@svc/chain'
import { ok, refuse, type Caller } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { chainIndexer, chainIndexerRefusals } from '@svc/contracts/chain-indexer'
import type { RevertedAttempt } from '@svc/contracts/chain-indexer/attempts'
import type { Deposit } from '@svc/contracts/chain-indexer/deposits'
import type { ChainTransaction } from '@svc/contracts/chain-indexer/transactions'
import { gallery } from '@svc/contracts/gallery'
import { identity } from '@svc/contracts/identity'
import { mandates } from '@svc/contracts/mandates'
import { subscriptions } from '@svc/contracts/subscriptions'
import { newVault, nobody, type Address, type VaultState } from '@svc/limits'
import { emit, openPool, sql, type Pool } from '@svc/postgres'
import { clientOf, openLog, Outage, type AnyHandler, type Bus, type RunningService } from '@svc/service'
import { FakeClock, testStack, type TestStack, startPeer } from '@svc/testing'
import { getAddress, keccak256, stringToHex, type Hex } from 'viem'
import { z } from 'zod'
import type { Standing } from '#neighbours/hall-client.ts'
import type { Limits } from '@svc/limits'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { start } from '#main.ts'
import { insertMandate } from '#drafts/store/drafts.ts'
import { acceptByAgent, lockMandateById } from '#mandate/store/mandates.ts'
import { insertTerms } from '#limits/store/signed-terms.ts'
import { insertVault, storeBooks } from '#books/store/vaults.ts'
import { presentTerms, termsJson } from '#limits/terms-of-mandate.ts'
import { storeMove } from '#states/store/moves.ts'

export const VENUE = getAddress(`0x${'44'.repeat(20)}`)
const FACTORY = getAddress(`0x${'55'.repeat(20)}`)
const USDC = getAddress(`0x${'66'.repeat(20)}`)
export const CHAIN_ID = 31_337
export const BUY: Hex = '0xfc18d034'
/** A call of `buy` that differs by its last bytes. */
export const buyCall = (n: number): Hex => `${BUY}${n.toString(16).padStart(64, '0')}`

const account = (account_id: number, kind: 'agent' | 'owner'): Caller => ({
  account_id,
  kind,
  wallet: walletOf(account_id),
  roles: [],
  scopes: ['read', 'write'],
  tier: 0,
  key_id: null,
  session_id: null,
})
export const walletOf = (id: number) => getAddress(`0x${id.toString(16).padStart(40, 'a')}`)
export const agent = (id: number) => account(id, 'agent')
export const owner = (id: number) => account(id, 'owner')
/** An admin. */
export const admin = (id: number): Caller => ({ ...account(id, 'owner'), roles: ['admin'] })
export const txHash = () => `0x${randomBytes(32).toString('hex')}`

/** What the chain knows; tests change it. */
export interface World {
  readonly transactions: Map<string, Partial<ChainTransaction>>
  dryRun: { ok: boolean; revert: unknown; data?: Hex }
  /** Number of the newest block; hashes follow from numbers. */
  head: number
  /** When the last key of an agent expires, for agents whose keys expire. */
  readonly accessEnds: Map<number, Date>
  /** Null: the ledger is away. */
  tier: 0 | 1 | 2 | null
  /** What the Hall says of agents; null: gallery is away. */
  standings: ReadonlyMap<number, Standing> | null
  /** False: no chain is configured. */
  configured: boolean
  /** Addresses that chain-indexer was asked to watch. */
  readonly watched: Set<string>
  /** Runs between the look at a transaction and its answer. */
  afterLook: () => Promise<void>
}

type Client = ReturnType<typeof mandatesClient>
const mandatesClient = (bus: Bus) => clientOf(bus, 'gateway', mandates)

export interface SeededRig {
  readonly stack: TestStack
  readonly world: World
  readonly clock: FakeClock
  readonly pool: Pool
  readonly bus: Bus
  /** Public keys of the identity that signs here. */
  readonly jwks: object
  as(caller: Caller, key?: string): Client
  newMandate(options?: NewMandateOptions): Promise<TestMandate>
  tell(executed: Executed): Promise<void>
  /** An event of a vault. */
  tellFact(fact: Fact): Promise<void>
  tellAgentSet(change: { vault: string; agent: string; block: number; revision: number }): Promise<void>
  tellReverted(attempt: Partial<RevertedAttempt> & Pick<RevertedAttempt, 'tx_hash' | 'vault'>): Promise<void>
  tellConfirmed(payload: Record<string, unknown>): Promise<void>
  /** One event of a deposit: seen, confirmed or orphaned. */
  tellDeposit(deposit: Partial<Deposit> & Pick<Deposit, 'tx_hash' | 'address' | 'status'>): Promise<void>
  /** Blocks after this one were replaced. */
  tellReorganised(ancestor: number): Promise<void>
  tellWebhookOff(off: { account_id: number; webhook_id: string; reason: 'failing' | 'gone' | 'backlog' }): Promise<void>
  tellCherry(moved: { account_id: number; amount: number; transfer_id: number; kind?: 'mining_reward' }): Promise<void>
  stop(): Promise<void>
}

export interface NewMandateOptions {
  readonly ownerId?: number
  readonly agentId?: number
  readonly limits?: Partial<Limits>
  readonly books?: Partial<VaultState>
  /** Signed, without a vault. */
  readonly vaultless?: boolean
  readonly unsigned?: boolean
  /** Chain of the signed terms. */
  readonly chainId?: number
}
export interface TestMandate {
  readonly id: number
  readonly publicId: string
  readonly ownerId: number
  readonly agentId: number
  readonly vault: Address
}

/** An event of a vault as chain-indexer tells it. */
export interface Fact {
  readonly vault: string
  readonly name: string
  readonly args: Readonly<Record<string, string | boolean>>
  readonly block: number
  readonly at: Date
  readonly tx?: string
  readonly revision?: number
  readonly canonical?: boolean
}

/** An `Executed` as chain-indexer tells it. */
export interface Executed {
  readonly vault: string
  readonly tx: string
  readonly amount: bigint
  readonly data?: Hex
  /** Of the transaction; that of the call to the vault when left out, null when it is too long to be read. */
  readonly input?: string | null
  readonly at: Date
  readonly ordinal?: number
  readonly revision?: number
  readonly canonical?: boolean
  readonly block?: number
}

const signer = generateKeyPairSync('ed25519')
/** A compact JWS as identity makes it. */
const signsAt =
  (clock: FakeClock): AnyHandler =>
  async (head: object) => {
    const content = { ...head, signed_at: clock.now().toISOString() }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const input = `${part({ alg: 'EdDSA', typ: 'record-head+json', kid: 'test' })}.${part(content)}`
    return ok(200, { jws: `${input}.${sign(null, Buffer.from(input), signer.privateKey).toString('base64url')}` })
  }

const hashOfBlock = (block: number) => keccak256(stringToHex(`block ${block}`))

const emptyTransaction = (tx_hash: string): ChainTransaction => ({
  state: 'unknown',
  chain_id: CHAIN_ID,
  tx_hash,
  from: null,
  to: null,
  input: null,
  status: null,
  block_number: null,
  block_hash: null,
  block_time: null,
  confirmations: null,
  confirmed: false,
  logs: [],
  transfers: [],
  attempt: null,
})

async function startPeers(stack: TestStack, world: World, clock: FakeClock): Promise<readonly RunningService[]> {
  const readTransaction: AnyHandler = async ({ tx_hash }: { tx_hash: string }) => {
    const seen = { ...emptyTransaction(tx_hash), ...world.transactions.get(tx_hash.toLowerCase()) }
    await world.afterLook()
    return ok(200, seen)
  }
  const simulateCall: AnyHandler = async () => {
    if (!world.configured) refuse(chainIndexerRefusals.chainNotConfigured)
    return ok(200, {
      ok: world.dryRun.ok,
      data: world.dryRun.ok ? (world.dryRun.data ?? '0x') : null,
      revert: world.dryRun.revert,
    })
  }
  const readHead: AnyHandler = async () => {
    if (!world.configured) refuse(chainIndexerRefusals.chainNotConfigured)
    return ok(200, {
      chain_id: CHAIN_ID,
      head: world.head,
      head_hash: hashOfBlock(world.head),
      head_time: new Date().toISOString(),
      safe_head: world.head,
      addresses: { usdc: null, factory: null, factory_v2: null },
      streams: [],
    })
  }
  const readBlockHash: AnyHandler = async ({ block_number }: { block_number: number }) =>
    ok(200, { block_hash: hashOfBlock(block_number) })
  const watchTransaction: AnyHandler = async () => ok(200, { ok: true })
  const watchAddress: AnyHandler = async ({ address }: { address: string }) => {
    if (!world.configured) refuse(chainIndexerRefusals.chainNotConfigured)
    world.watched.add(address)
    return ok(200, { ok: true })
  }
  const agentRow = (agent_id: number) => ({
    agent_id,
    name: 'agent',
    wallet: walletOf(agent_id),
    owner: agent_id === 21 ? { owner_id: 11, wallet: walletOf(11) } : null,
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
    access_ends_at: world.accessEnds.get(agent_id)?.toISOString() ?? null,
    last_seen_at: '2026-11-21T09:59:00.000Z',
    channel: 'http',
  })
  const readAgents: AnyHandler = async ({ agent_ids }: { agent_ids: number[] }) =>
    ok(200, { agents: agent_ids.map((id) => (id >= 900 ? null : agentRow(id))) })
  const resolveTiers: AnyHandler = async ({ account_ids }: { account_ids: number[] }) => {
    const { tier } = world
    if (tier === null) throw new Outage('test', 'the ledger is away')
    return ok(200, { items: account_ids.map((account_id) => ({ account_id, tier, ends_at: null })) })
  }
  const readRanks: AnyHandler = async ({ agent_ids }: { agent_ids: number[] }) => {
    const { standings } = world
    if (standings === null) throw new Outage('test', 'gallery is away')
    const ranks = agent_ids.map((agent_id) => {
      const standing = standings.get(agent_id)
      return standing === undefined ? null : { ...standing, degraded: false }
    })
    return ok(200, { computed_at: clock.now().toISOString(), stale: false, pending: false, ranks })
  }
  const ofChain = { readTransaction, readHead, readBlockHash, simulateCall, watchAddress, watchTransaction }
  return Promise.all([
    startPeer(stack, chainIndexer, { answers: ofChain, emits: true }),
    startPeer(stack, subscriptions, { answers: { resolveTiers }, emits: true }),
    startPeer(stack, gallery, { answers: { readRanks } }),
    startPeer(stack, identity, { answers: { readAgents, signRecordHead: signsAt(clock) } }),
  ])
}

/** mandates with real NATS and Postgres, a chain-indexer and an identity that tests control, and a clock that they move. */
export async function startSeededRig(
  settings: Record<string, string> = {},
  startAt = '2026-11-21T10:00:00.000Z',
): Promise<SeededRig> {
  const stack = await testStack(contracts, ['mandates'])
  const world: World = {
    transactions: new Map(),
    accessEnds: new Map(),
    dryRun: { ok: true, revert: null },
    head: 99,
    tier: 1,
    standings: new Map(),
    configured: true,
    watched: new Set(),
    afterLook: async () => {},
  }
  const clock = new FakeClock(startAt)
  const peers = await startPeers(stack, world, clock)
  const environment = {
    HUB_CHAIN_ID: String(CHAIN_ID),
    HUB_MANDATE_FACTORY_ADDRESS: FACTORY,
    HUB_USDC_ADDRESS: USDC,
    HUB_TEST_VENUE_TARGETS: VENUE,
    ...settings,
  }
  const service = await start(stack.environmentOf('mandates', environment), {
    clock,
    log: openLog('mandates', 'silent'),
  })
  const bus = await stack.nats.connect('gateway')
  const pool = await openPool(stack.databaseOf('mandates').url)
  const chainPool = await openPool(stack.databaseOf('chain-indexer').url)
  const ledgerPool = await openPool(stack.databaseOf('subscriptions').url)
  const as = (caller: Caller, idempotencyKey?: string) =>
    clientOf(bus, 'gateway', mandates, { caller, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) })

  const newMandate = async (options: NewMandateOptions = {}): Promise<TestMandate> => {
    const { ownerId = 11, agentId = 21 } = options
    const now = clock.now()
    const publicId = `mdt_${randomBytes(16).toString('hex')}`
    const vault = getAddress(`0x${randomBytes(20).toString('hex')}`)
    const limits: Limits = {
      budget: 500_000_000n,
      perTxCap: 50_000_000n,
      dailyCap: 150_000_000n,
      stopLine: 0n,
      approvalAbove: 40_000_000n,
      markets: ['testvenue'],
      endsAt: new Date(Date.parse('2026-12-31T00:00:00.000Z')),
      feeBps: 1000,
      hlLeg: false,
      legBudget: null,
      closeIfSilent: null,
      publicProof: false,
      ...options.limits,
    }
    await pool.transaction(async (tx) => {
      const mandate = await insertMandate(
        tx,
        {
          publicId,
          idHash: keccak256(stringToHex(publicId)),
          owner: { id: ownerId, wallet: walletOf(ownerId).toLowerCase() },
          claimHash: null,
          name: 'Weekend basis',
          limits,
          agent: { id: agentId, wallet: walletOf(agentId).toLowerCase() },
          expiresAt: new Date(now.getTime() + 86_400_000),
        },
        now,
      )
      if (options.unsigned !== true) await signTerms(tx, mandate, options.chainId ?? CHAIN_ID, now)
      if (options.vaultless !== true) {
        await insertVault(
          tx,
          {
            mandate_id: mandate.id,
            chain_id: CHAIN_ID,
            address: vault.toLowerCase(),
            factory: FACTORY.toLowerCase(),
            version: 1,
            creation_tx: txHash(),
            agent: walletOf(agentId),
          },
          now,
        )
        const books = {
          ...newVault(walletOf(agentId)),
          accounted: 500_000_000n,
          principal: 500_000_000n,
          ...options.books,
        }
        await storeBooks(tx, { mandate_id: mandate.id, books, books_block: 1, books_log_index: 0 })
      }
      await acceptByAgent(tx, mandate.id, now)
      await storeMove(tx, mandate.id, { from: 'draft', to: 'signed', cause: 'terms_signed' }, now)
      if (options.vaultless !== true)
        await storeMove(tx, mandate.id, { from: 'signed', to: 'working', cause: 'vault_funded' }, now)
    })
    const { id } = await pool.one(
      sql.type(z.object({ id: z.number() }))`SELECT id FROM mandate WHERE public_id = ${publicId}`,
    )
    return { id, publicId, ownerId, agentId, vault }
  }

  // Facts of a block are told in their order.
  let logsTold = 0
  const place = (block: number, at: Date) => ({
    chain_id: CHAIN_ID,
    block_number: block,
    block_hash: hashOfBlock(block),
    block_time: new Date(Math.floor(at.getTime() / 1000) * 1000).toISOString(),
  })
  return {
    stack,
    world,
    clock,
    pool,
    bus,
    jwks: { keys: [{ ...signer.publicKey.export({ format: 'jwk' }), kid: 'test' }] },
    as,
    newMandate,
    tell: async (executed) => {
      const {
        vault,
        tx: tx_hash,
        amount,
        data = buyCall(1),
        input = prepare(CHAIN_ID).vault(getAddress(vault)).execute({ target: VENUE, data, approveAmount: amount }).data,
        at,
        ordinal = 0,
        revision = 1,
        canonical = true,
        block = 100,
      } = executed
      world.transactions.set(tx_hash.toLowerCase(), {
        state: 'mined',
        to: vault,
        input,
        status: 'success',
      })
      await chainPool.transaction((tx) =>
        emit(tx, chainIndexer.events.vaultEventSeen, {
          ...place(block, at),
          tx_hash,
          log_ordinal: ordinal,
          log_index: logsTold++,
          revision,
          canonical,
          vault,
          name: 'Executed',
          args: {
            agent: walletOf(21),
            target: VENUE,
            selector: data.slice(0, 10),
            approved: String(amount),
            spent: String(amount),
            received: '0',
            day: String(Math.floor(at.getTime() / 86_400_000)),
            usedToday: String(amount),
          },
        }),
      )
    },
    tellFact: async ({ vault, name, args, block, at, tx = txHash(), revision = 1, canonical = true }) => {
      await chainPool.transaction((outer) =>
        emit(outer, chainIndexer.events.vaultEventSeen, {
          ...place(block, at),
          tx_hash: tx,
          log_ordinal: 0,
          log_index: logsTold++,
          revision,
          canonical,
          vault,
          name: name as 'Deposited',
          args,
        }),
      )
    },
    tellAgentSet: async ({ vault, agent: to, block, revision }) => {
      await chainPool.transaction((tx) =>
        emit(tx, chainIndexer.events.vaultEventSeen, {
          ...place(block, clock.now()),
          tx_hash: keccak256(stringToHex(`agent set ${vault} ${block}`)),
          log_ordinal: 0,
          log_index: logsTold++,
          revision,
          canonical: true,
          vault,
          name: 'AgentSet',
          args: { agent: to, previous: walletOf(21) },
        }),
      )
    },
    tellReverted: async (attempt) => {
      await chainPool.transaction((tx) =>
        emit(tx, chainIndexer.events.attemptReverted, {
          ...place(100, clock.now()),
          tx_index: 0,
          revision: 1,
          canonical: true,
          agent: walletOf(21),
          target: VENUE,
          selector: BUY,
          approve_amount: '60000000',
          outcome: 'refusal',
          kind: 'OverPerTxCap',
          revert: null,
          evidence: 'recomputed',
          ...attempt,
        }),
      )
    },
    tellConfirmed: async (payload) => {
      await chainPool.transaction((tx) =>
        emit(tx, chainIndexer.events.transactionConfirmed, {
          ...place(100, clock.now()),
          from: walletOf(21),
          to: USDC,
          status: 'success',
          revision: 1,
          canonical: true,
          ...payload,
        } as never),
      )
    },
    tellDeposit: async (deposit) => {
      const { depositSeen, depositConfirmed, depositOrphaned } = chainIndexer.events
      const told = { pending: depositSeen, confirmed: depositConfirmed, orphaned: depositOrphaned }[deposit.status]
      const payload = {
        ...place(100, clock.now()),
        transfer_ordinal: 0,
        from: VENUE,
        asset: USDC,
        amount: '5000000',
        revision: 1,
        ...deposit,
      }
      await chainPool.transaction((tx) => emit(tx, told, payload as never))
    },
    tellReorganised: async (ancestor_number) => {
      const ancestor_hash = `0x${'00'.repeat(32)}`
      const told = { chain_id: CHAIN_ID, stream: 'vault_events', ancestor_number, ancestor_hash, orphaned: 0 } as const
      await chainPool.transaction((tx) => emit(tx, chainIndexer.events.chainReorganised, told))
    },
    tellWebhookOff: async (off) => {
      const told = { ...off, host: 'hook.example.org', off_at: clock.now().toISOString() }
      await ledgerPool.transaction((tx) => emit(tx, subscriptions.events.webhookTurnedOff, told))
    },
    tellCherry: async (moved) => {
      await ledgerPool.transaction((tx) =>
        emit(tx, subscriptions.events.cherryMoved, {
          kind: 'paid_read',
          ...moved,
          reference: `read:${moved.transfer_id}`,
        }),
      )
    },
    stop: async () => {
      await service.stop()
      await Promise.all(peers.map((peer) => peer.stop()))
      await bus.close()
      await pool.end()
      await chainPool.end()
      await ledgerPool.end()
      await stack.stop()
    },
  }
}

async function signTerms(
  tx: Parameters<typeof insertTerms>[0],
  mandate: Mandate,
  chainId: number,
  now: Date,
): Promise<void> {
  const market = {
    market_id: 'testvenue',
    title: 'Test venue',
    venue: 'testvenue',
    status: 'paper',
    enforced_by: 'contract',
    calls: [{ target: VENUE, selector: BUY, function: 'buy(bytes32,uint256,uint256)' }],
    exit_adapter: 'testvenue',
    min_order_usdc: null,
  } as const
  const deployment = { version: 1, chainId, factory: FACTORY, usdc: USDC, legGateway: nobody } as const
  const { terms, signable } = presentTerms(mandate, mandate.agent?.wallet ?? '', deployment, [
    { ...market, calls: [...market.calls] },
  ])
  await lockMandateById(tx, mandate.id)
  await insertTerms(tx, mandate.id, {
    terms_hash: signable.digest,
    chain_id: chainId,
    factory: FACTORY,
    signature: '0x00',
    terms: termsJson(terms),
    clauses: signable.clauses.map(({ number, text }) => ({ number, text })),
    edition: CLAUSE_EDITION,
    signed_at: now.toISOString(),
  })
}
