import type { RevertRead } from '@svc/contracts/chain-indexer/attempts'
import type { EventArgs } from '@svc/contracts/chain-indexer/vaults'
import type { Anchor, Revert } from '@svc/chain'
import { type Address, getAddress } from 'viem'

/** RFC 3339 of Unix seconds. */
export function timeOf(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString()
}

/** RFC 3339 time of a block among those that were read; throws for any other. */
export function blockTimes(anchors: readonly Pick<Anchor, 'number' | 'timestamp'>[]): (number: number) => string {
  const times = new Map(anchors.map(({ number, timestamp }) => [Number(number), timeOf(timestamp)]))
  return (number) => {
    const time = times.get(number)
    if (time === undefined) throw new Error(`block ${number} holds a log and has no anchor`)
    return time
  }
}

/** EIP-55 of an address in any case. */
export function addressOf(text: string): Address {
  return getAddress(text.toLowerCase())
}

/** Longest text that an argument keeps; what a target reverts with may be larger. */
const ARGUMENT_MAX = 2_000

/** A text of a contract as Postgres takes it: JSON there holds neither NUL nor half a character. */
const storable = (text: string) => text.slice(0, ARGUMENT_MAX).toWellFormed().replaceAll('\0', '\uFFFD')

/** Arguments that viem decoded as the wire has them: integers as decimal strings, addresses EIP-55, bytes hex. */
export function argsOf(args: Readonly<Record<string, unknown>>): EventArgs {
  const told: Record<string, string | boolean> = {}
  for (const [name, value] of Object.entries(args))
    told[name] = typeof value === 'boolean' ? value : storable(String(value))
  return told
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
