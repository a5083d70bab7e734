import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { ChainTransaction } from '@svc/contracts/chain-indexer/transactions'
import { clientOf, type Bus } from '@svc/service'
import { encodeFunctionData, erc20Abi, getAddress, type Address, type Hex } from 'viem'
import type { ChainPoint } from '#books/rules/chain-order.ts'
import { orNull, whereConfigured } from './or-null.ts'

/** What a call that is not sent does on the newest block. */
export interface Simulated {
  readonly ok: boolean
  /** What it returns; null when it reverts. */
  readonly data: Hex | null
  /** Name or selector of the error it reverts with; null when it does not. */
  readonly error: string | null
  /** The target's own error behind it, where there is one. */
  readonly target_error: string | null
}

/** What is asked of chain-indexer. Unless it says otherwise, a question rejects with an outage while the chain is away. */
export interface Indexer {
  /** A transaction as the chain has it now; null while no chain is configured. An outage after the deadline, where one is given. */
  readTransaction(txHash: string, deadline?: number): Promise<ChainTransaction | null>
  /** The newest block; null while no chain is configured, or chain-indexer does not answer by the deadline. */
  newestBlock(deadline: number): Promise<ChainPoint | null>
  /** Hash of a block of the chain as it is now; null when there is no such block. */
  blockHash(number: number): Promise<string | null>
  /** Block up to which, exclusively, the sweep has told what it found; null while no chain is configured. */
  sweptBlock(): Promise<number | null>
  /** Runs a call without sending it, or creation code without `to`; null while no chain is configured. */
  simulate(
    call: { readonly to?: string; readonly from?: string; readonly data: Hex },
    deadline?: number,
  ): Promise<Simulated | null>
  /** USDC of an address in base units; null while the chain cannot be read. */
  usdcOf(usdc: Address, owner: string): Promise<bigint | null>
  /** Asks to hear of a transaction; false while no chain is configured. */
  watchTransaction(txHash: string): Promise<boolean>
  /** Asks to hear of USDC that arrives at a wallet; false while no chain is configured, or the indexer is away. */
  watchDeposits(wallet: string): Promise<boolean>
}

/** Opens the way to ask chain-indexer; asks nothing yet. */
export function openIndexer(bus: Bus): Indexer {
  const chain = clientOf(bus, 'mandates', chainIndexer)
  return {
    readTransaction: (tx_hash, deadline) =>
      whereConfigured(chain.readTransaction({ tx_hash }, deadline === undefined ? {} : { deadline })),
    newestBlock: async (deadline) => {
      const head = await orNull(whereConfigured(chain.readHead({}, { deadline })))
      return head === null ? null : { number: head.head, hash: head.head_hash.toLowerCase(), time: head.head_time }
    },
    blockHash: async (block_number) =>
      (await whereConfigured(chain.readBlockHash({ block_number })))?.block_hash?.toLowerCase() ?? null,
    sweptBlock: async () => {
      const head = await whereConfigured(chain.readHead({}))
      return head?.streams.find(({ stream }) => stream === 'vault_events')?.next_block ?? null
    },
    simulate: async (call, deadline) => {
      const answer = await whereConfigured(chain.simulateCall(call, deadline === undefined ? {} : { deadline }))
      if (answer === null) return null
      const { ok, data, revert } = answer
      return {
        ok,
        data: ok ? (data as Hex | null) : null,
        error: ok ? null : (revert?.name ?? revert?.selector ?? 'out of gas'),
        target_error: revert?.inner?.name ?? null,
      }
    },
    usdcOf: async (usdc, owner) => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [getAddress(owner)] })
      const answer = await orNull(whereConfigured(chain.simulateCall({ to: usdc, data })))
      return answer?.ok === true && answer.data?.length === 66 ? BigInt(answer.data) : null
    },
    watchTransaction: async (tx_hash) => (await whereConfigured(chain.watchTransaction({ tx_hash }))) !== null,
    watchDeposits: async (address) =>
      (await orNull(whereConfigured(chain.watchAddress({ address, kind: 'agent_wallet' })))) !== null,
  }
}
