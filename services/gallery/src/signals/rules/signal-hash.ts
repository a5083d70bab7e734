import { createHash } from 'node:crypto'

export type SignalSide = 'long' | 'short' | 'flat'

/** A signal as it is hashed. */
export interface HashedSignal {
  readonly vault_id: string
  readonly signal_id: string
  readonly seq: number
  readonly market: string
  readonly side: SignalSide
  readonly weight_bps: number
  readonly limit_price: string | null
  readonly valid_until: string | null
  readonly note: string | null
  readonly recorded_price: string
  readonly recorded_at: string
  /** 32 random bytes, hex. */
  readonly salt: string
  /** Hash of the signal before; empty for the first. */
  readonly previous_hash: string
}

/** Returns SHA-256, in hex, of the RFC 8785 JSON of a signal: it has no nested members, and whole numbers only. */
export function signalHash(signal: HashedSignal): string {
  const json = JSON.stringify(signal, Object.keys(signal).toSorted())
  return createHash('sha256').update(json).digest('hex')
}
