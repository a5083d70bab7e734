import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { ChainTransaction } from '@svc/contracts/chain-indexer/transactions'
import { clientOf, type Bus } from '@svc/service'
import { encodeFunctionData, erc20Abi, getAddress, type Address, type Hex } from 'viem'
import type { ChainPoint } from '#books/rules/chain-order.ts'
import { orNull, whereConfigured } from './or-null.ts'

/** The result of running a call on the newest block without sending it. */
export interface Simulated {
  readonly ok: boolean
  /** Return data; null if the call reverts. */
  readonly data: Hex | null
  /** Name or selector of the error; null if the call succeeds. */
  readonly error: string | null
  /** Error of the target that caused the revert; null if none is known. */
  readonly target_error: string | null
}

/** Questions answered by chain-indexer. Each rejects with an outage while the chain is unavailable, unless stated otherwise. */
export interface ChainClient {
  /** Returns the current state of a transaction; null without a configured chain. Rejects with an outage after the deadline. */
  readTransaction(txHash: string, deadline?: number): Promise<ChainTransaction | null>
  /** Returns the newest block; null without a configured chain, or without an answer by the deadline. */
  newestBlock(deadline: number): Promise<ChainPoint | null>
  /** Returns the current hash of a block; null if the chain has no such block. */
  blockHash(number: number): Promise<string | null>
  /** Returns the first block whose events are not published yet; null without a configured chain. */
  sweptBlock(): Promise<number | null>
  /** Runs a call, or creation code if `to` is missing, without sending it; null without a configured chain. */
  simulate(
    call: { readonly to?: string; readonly from?: string; readonly data: Hex },
    deadline?: number,
  ): Promise<Simulated | null>
  /** Returns the USDC balance of an address in base units; null during an outage. */
  usdcOf(usdc: Address, owner: string): Promise<bigint | null>
  /** Subscribes to the confirmation of a transaction; false without a configured chain. */
  watchTransaction(txHash: string): Promise<boolean>
  /** Subscribes to USDC deposits to a wallet; false without a configured chain, or during an outage. */
  watchDeposits(wallet: string): Promise<boolean>
}

/** Creates the client of chain-indexer. Sends no request. */
export function openChainClient(bus: Bus): ChainClient {
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
