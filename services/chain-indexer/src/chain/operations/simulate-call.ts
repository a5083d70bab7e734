import { callAt, RpcRefused, TOO_LARGE } from '@svc/chain'
import { ok } from '@svc/contract'
import type { chainIndexer } from '@svc/contracts/chain-indexer'
import { HEX_BYTES_MAX } from '@svc/contracts/chain-indexer/fact'
import type { BoundHandler } from '@svc/service'
import type { Address, Hex } from 'viem'
import { chainOfCall, type Context } from '#context.ts'
import { revertReadOf } from '#wire-values.ts'

/** Limits the work of one call at the RPC: the call may run a stranger's contract, for example to verify a signature. */
const GAS_MAX = 10_000_000n

export const simulateCall: BoundHandler<Context, typeof chainIndexer.operations.simulateCall> =
  (context) => async (input) => {
    const result = await callAt(chainOfCall(context), {
      to: input.to as Address | undefined,
      from: input.from as Address | undefined,
      data: input.data as Hex,
      gas: GAS_MAX,
      blockNumber: input.block_number === undefined ? undefined : BigInt(input.block_number),
    })
    if (result.ok && result.data.length > HEX_BYTES_MAX)
      throw new RpcRefused('eth_call returned more than 128 KiB', TOO_LARGE)
    if (result.ok) return ok(200, { ok: true, data: result.data, revert: null })
    return ok(200, { ok: false, data: null, revert: result.revert === null ? null : revertReadOf(result.revert) })
  }
