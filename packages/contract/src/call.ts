import type { Scope, Tier } from './operation.ts'

/** Authenticated account of a request; the edge has verified its credential. */
export interface Caller {
  readonly account_id: number
  readonly kind: 'agent' | 'owner' | 'service'
  /** EIP-55 address; null for the keeper. */
  readonly wallet: string | null
  readonly roles: readonly ('admin' | 'reviewer' | 'keeper')[]
  readonly scopes: readonly Scope[]
  readonly tier: Tier
  /** Null in a handler whose operation does not declare `knowsCredential`. */
  readonly key_id: string | null
  /** Null in a handler whose operation does not declare `knowsCredential`. */
  readonly session_id: string | null
}
