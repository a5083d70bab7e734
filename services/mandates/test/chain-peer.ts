import { ok } from '@svc/contract'
import {
  callAt,
  chainOf,
  decodeEvent,
  deployContracts,
  lookUpTransaction,
  type Chain,
  type Deployment,
  type RawLog,
  waitForReceipt,
} from '@svc/chain'
import { chainIndexer, chainIndexerRefusals } from '@svc/contracts/chain-indexer'
import type { ChainTransaction, TransactionLog } from '@svc/contracts/chain-indexer/transactions'
import { refuse } from '@svc/contract'
import { emit, openPool } from '@svc/postgres'
import { type AnyHandler, type RunningService } from '@svc/service'
import { disposableAnvil, type DisposableAnvil, type TestStack, startPeer } from '@svc/testing'
import { createWalletClient, getAddress, http, isAddress, type Account, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/** The accounts of anvil's public mnemonic. */
const account = (index: number) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: index })
export const admin = account(0)
export const keeper = account(1)
export const operator = account(2)

/** A local chain with the contracts, and what the tests send to it. */
export interface TestChain {
  readonly anvil: DisposableAnvil
  readonly chain: Chain
  readonly deployment: Deployment
  /** Sends a call and mines it; answers its hash, whatever the call did. */
  send(from: Account, call: { to: string; data: string }): Promise<Hex>
  /** Deploys creation code; answers its transaction. */
  deploy(data: Hex): Promise<Hex>
  stop(): Promise<void>
}

/** Blocks that a transaction needs on top of it here. */
export const CONFIRMATIONS = 1

export async function startChain(): Promise<TestChain> {
  const anvil = await disposableAnvil()
  const chain = chainOf({ rpcUrl: anvil.url, id: anvil.chainId, confirmations: CONFIRMATIONS })
  const wallet = (from: Account) => createWalletClient({ account: from, transport: http(anvil.url) })
  const deployment = await deployContracts(chain, wallet(admin), {
    keeper: keeper.address,
    operator: operator.address,
  })
  return {
    anvil,
    chain,
    deployment,
    send: async (from, { to, data }) => {
      const call = { chain: null, to: to as Hex, data: data as Hex, gas: 3_000_000n }
      const hash = await wallet(from).sendTransaction(call)
      await waitForReceipt(chain, hash)
      return hash
    },
    deploy: async (data) => {
      const hash = await wallet(admin).deployContract({ abi: [], bytecode: data, chain: null, gas: 3_000_000n })
      await waitForReceipt(chain, hash)
      return hash
    },
    stop: () => anvil.stop(),
  }
}

/** What the chain service knows and tells; tests move it. */
export interface ChainPeer {
  /** False: it answers that no chain is configured. */
  configured: boolean
  readonly service: RunningService
  /** Tells the events of a transaction as the sweep does. */
  tell(txHash: Hex, revision: number, canonical?: boolean): Promise<void>
  stop(): Promise<void>
}

/** The chain service as its contract says, over the test's own chain. */
export async function startChainPeer(stack: TestStack, test: TestChain): Promise<ChainPeer> {
  const peer = { configured: true }
  const readTransaction: AnyHandler = async ({ tx_hash }: { tx_hash: Hex }) => {
    if (!peer.configured) refuse(chainIndexerRefusals.chainNotConfigured)
    return ok(200, await transactionOf(test, tx_hash))
  }
  const simulateCall: AnyHandler = async (input: { to?: Hex; data: Hex }) => {
    if (!peer.configured) refuse(chainIndexerRefusals.chainNotConfigured)
    const result = await callAt(test.chain, input)
    return ok(200, { ok: result.ok, data: 'data' in result ? result.data : null, revert: null })
  }
  const readHead: AnyHandler = async () => {
    const block = (await test.anvil.request('eth_getBlockByNumber', ['latest', false])) as {
      number: Hex
      hash: Hex
      timestamp: Hex
    }
    const head = Number(block.number)
    const now = new Date().toISOString()
    return ok(200, {
      chain_id: test.chain.id,
      head,
      head_hash: block.hash,
      head_time: new Date(Number(block.timestamp) * 1000).toISOString(),
      safe_head: head,
      addresses: { usdc: null, factory: null, factory_v2: null },
      streams: [{ stream: 'vault_events', next_block: head + 1, stopped: null, updated_at: now }],
    })
  }
  const readBlockHash: AnyHandler = async ({ block_number }: { block_number: number }) => {
    const number = `0x${block_number.toString(16)}`
    const block = (await test.anvil.request('eth_getBlockByNumber', [number, false])) as { hash: Hex } | null
    return ok(200, { block_hash: block?.hash ?? null })
  }
  const answers = { readTransaction, simulateCall, readHead, readBlockHash }
  const service = await startPeer(stack, chainIndexer, { answers, emits: true })
  const pool = await openPool(stack.databaseOf('chain-indexer').url)
  return Object.assign(peer, {
    service,
    tell: async (txHash: Hex, revision: number, canonical = true) => {
      const transaction = await transactionOf(test, txHash)
      await tellOf(pool, transaction, revision, canonical)
    },
    stop: async () => {
      await service.stop()
      await pool.end()
    },
  })
}

type Pool = Awaited<ReturnType<typeof openPool>>

/** Tells the events of a transaction; also of one that the chain has lost. */
export async function tellOf(pool: Pool, transaction: ChainTransaction, revision: number, canonical: boolean) {
  const place = {
    chain_id: transaction.chain_id,
    block_number: transaction.block_number ?? 0,
    block_hash: transaction.block_hash ?? '',
    block_time: transaction.block_time ?? '',
    tx_hash: transaction.tx_hash,
    revision,
    canonical,
  }
  await pool.transaction(async (tx) => {
    for (const { created, name, ...log } of transaction.logs) {
      if (created !== null) await emit(tx, chainIndexer.events.vaultCreated, { ...place, ...log, ...created })
      else if (name !== 'VaultCreated') await emit(tx, chainIndexer.events.vaultEventSeen, { ...place, ...log, name })
    }
  })
}

/** A transaction as readTransaction answers it. */
export async function transactionOf({ chain, deployment }: TestChain, tx_hash: Hex): Promise<ChainTransaction> {
  const state = await lookUpTransaction(chain, tx_hash)
  const mined = state.state === 'mined' ? state : null
  const { usdc, venue, leg_gateway } = deployment.contracts
  const notVaults = [usdc, venue, leg_gateway].map(({ address }) => address.toLowerCase())
  const logs = (mined?.receipt.logs ?? []).flatMap((raw): Omit<TransactionLog, 'log_ordinal'>[] => {
    const log = raw as typeof raw & Pick<RawLog, 'topics'>
    if (notVaults.includes(log.address.toLowerCase())) return []
    const made = decodeEvent('factory', log)
    const log_index = Number(raw.logIndex)
    const version = log.address.toLowerCase() === deployment.contracts.factory_v2.address.toLowerCase() ? 2 : 1
    if (made?.name === 'VaultCreated') return [{ ...createdLog(log.address, version, made.args), log_index }]
    const event = decodeEvent('vaultV2', log)
    return event === null
      ? []
      : [{ log_index, vault: getAddress(log.address), name: event.name, args: wire(event.args), created: null }]
  })
  return {
    state: state.state,
    chain_id: chain.id,
    tx_hash,
    from: state.state === 'unknown' ? null : state.transaction.from,
    to: state.state === 'unknown' ? null : state.transaction.to,
    input: state.state === 'unknown' ? null : state.transaction.input,
    status: mined?.receipt.status ?? null,
    block_number: mined === null ? null : Number(mined.receipt.blockNumber),
    block_hash: mined?.receipt.blockHash ?? null,
    block_time: mined === null ? null : new Date(Number(mined.timestamp) * 1000).toISOString(),
    confirmations: mined === null ? null : Number(mined.depth),
    confirmed: mined?.confirmed ?? false,
    logs: logs.map((log, log_ordinal) => ({ ...log, log_ordinal })),
    transfers: [],
    attempt: null,
  }
}

function createdLog(
  factory: string,
  version: 1 | 2,
  args: Extract<ReturnType<typeof decodeEvent<'factory'>>, { name: 'VaultCreated' }>['args'],
) {
  const { terms } = args
  return {
    vault: args.vault,
    name: 'VaultCreated' as const,
    args: {},
    created: {
      factory: getAddress(factory),
      version,
      owner: args.owner,
      mandate_id_hash: args.mandateIdHash,
      terms_hash: args.termsHash,
      terms: {
        owner: terms.owner,
        agent: terms.agent,
        fee_recipient: terms.feeRecipient,
        usdc: terms.usdc,
        leg_gateway: terms.legGateway,
        budget: String(terms.budget),
        per_tx_cap: String(terms.perTxCap),
        daily_cap: String(terms.dailyCap),
        approval_above: String(terms.approvalAbove),
        stop_line: String(terms.stopLine),
        leg_budget: String(terms.legBudget),
        ends_at: String(terms.endsAt),
        fee_bps: String(terms.feeBps),
        mandate_id_hash: terms.mandateIdHash,
        clauses_hash: terms.clausesHash,
        calls: terms.calls.map((call) => ({ ...call })),
      },
    },
  }
}

function wire(args: object): Record<string, string | boolean> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]: [string, unknown]) => {
      if (typeof value === 'boolean') return [name, value]
      const text = String(value)
      return [name, isAddress(text, { strict: false }) ? getAddress(text) : text]
    }),
  )
}
