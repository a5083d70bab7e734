import { getAddress } from 'viem'
import type { Execution } from './rules/execution.ts'
import type { ChainFact } from '#books/rules/chain-fact.ts'

/** Reads an `Executed` fact. Throws if an argument is missing. */
export function executionOf(fact: ChainFact, mandateId: number): Execution {
  const text = (key: string) => {
    const value = fact.args[key]
    if (typeof value !== 'string') throw new Error(`Executed carries no ${key}`)
    return value
  }
  return {
    chainId: fact.chainId,
    txHash: fact.txHash,
    logOrdinal: fact.logOrdinal,
    logIndex: fact.logIndex,
    mandateId,
    revision: fact.revision,
    target: getAddress(text('target').toLowerCase()),
    selector: text('selector').toLowerCase(),
    approved: BigInt(text('approved')),
    spent: BigInt(text('spent')),
    received: BigInt(text('received')),
    day: BigInt(text('day')),
    blockNumber: fact.blockNumber,
    blockTime: fact.blockTime,
  }
}
