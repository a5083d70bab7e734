import type { EventArgs, RevertRead } from '@svc/contracts/chain-indexer-facts'
import type { Revert } from '@svc/chain'
import { type Address, getAddress, isAddress } from 'viem'

/** RFC 3339 of Unix seconds. */
export function timeOf(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString()
}

/** EIP-55 of an address in any case. */
export function addressOf(text: string): Address {
  return getAddress(text.toLowerCase())
}

/** Longest text that an argument keeps; what a target reverts with may be larger. */
const ARGUMENT_MAX = 2_000

/** Arguments as the wire has them: integers as decimal strings, addresses EIP-55, bytes hex. */
export function argsOf(args: Readonly<Record<string, unknown>>): EventArgs {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (typeof value === 'boolean') return [name, value]
      const text = String(value)
      return [name, isAddress(text, { strict: false }) ? addressOf(text) : text.slice(0, ARGUMENT_MAX)]
    }),
  )
}

/** A revert as the wire has it. */
export function revertReadOf({ name, selector, args, refusalKind, inner }: Revert): RevertRead {
  return {
    name,
    selector,
    args: argsOf(args),
    refusal_kind: refusalKind,
    inner: inner === null ? null : { name: inner.name, selector: inner.selector, args: argsOf(inner.args) },
  }
}
