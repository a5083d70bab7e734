import { createHash } from 'node:crypto'
import { canonicalJson } from '#record/rules/record-hash.ts'

/** The exact call to which a decision of the owner is bound. */
export interface HeldCall {
  readonly mandate: string
  readonly target: string
  readonly data: string
  readonly amount: bigint
}

/** Returns SHA-256, as 0x hex, over mandate, target, calldata and amount; the case of addresses and bytes is ignored. */
export function callHash({ mandate, target, data, amount }: HeldCall): string {
  const call = { amount: String(amount), data: data.toLowerCase(), mandate, target: target.toLowerCase() }
  return `0x${createHash('sha256').update(canonicalJson(call)).digest('hex')}`
}
