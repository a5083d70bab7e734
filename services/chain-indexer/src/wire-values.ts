import type { RevertRead } from '@svc/contracts/chain-indexer/attempts'
import type { EventArgs } from '@svc/contracts/chain-indexer/vaults'
import type { Anchor, Revert } from '@svc/chain'
import { type Address, getAddress } from 'viem'

/** Converts Unix seconds to RFC 3339. */
export function timeOf(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString()
}

/** Returns a function from the number of a block that was read to its RFC 3339 time; it throws for any other number. */
export function blockTimes(anchors: readonly Pick<Anchor, 'number' | 'timestamp'>[]): (number: number) => string {
  const times = new Map(anchors.map(({ number, timestamp }) => [Number(number), timeOf(timestamp)]))
  return (number) => {
    const time = times.get(number)
    if (time === undefined) throw new Error(`block ${number} has a log and no anchor`)
    return time
  }
}

/** Converts an address in any letter case to EIP-55. */
export function addressOf(text: string): Address {
  return getAddress(text.toLowerCase())
}

/** Maximum length of an argument's text; the data of a revert may be longer. */
const ARGUMENT_MAX = 2_000

/** Makes a contract's text storable: JSON in Postgres allows neither NUL nor half of a surrogate pair. */
const storable = (text: string) => text.slice(0, ARGUMENT_MAX).toWellFormed().replaceAll('\0', '\uFFFD')

/** Converts decoded arguments to the wire's form: integers as decimal strings, addresses in EIP-55, bytes in hex. */
export function argsOf(args: Readonly<Record<string, unknown>>): EventArgs {
  const wire: Record<string, string | boolean> = {}
  for (const [name, value] of Object.entries(args))
    wire[name] = typeof value === 'boolean' ? value : storable(String(value))
  return wire
}

/** Converts a revert to the wire's form. */
export function revertReadOf({ name, selector, args, refusalKind, inner }: Revert): RevertRead {
  return {
    name,
    selector,
    args: argsOf(args),
    refusal_kind: refusalKind,
    inner: inner === null ? null : { name: inner.name, selector: inner.selector, args: argsOf(inner.args) },
  }
}
