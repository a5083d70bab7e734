import type { VaultState } from '@svc/limits'

/** The vault of a mandate with its books. Addresses and hashes are lower case. */
export interface Vault {
  readonly mandate_id: number
  readonly chain_id: number
  readonly address: string
  readonly factory: string
  readonly version: 1 | 2
  readonly creation_tx: string
  readonly agent: string
  /** False while a reorganisation has removed the vault's creation. */
  readonly canonical: boolean
  readonly attached_at: string
  readonly books: VaultState
  /** Position of the newest fact in the books; null while they contain none. */
  readonly books_block: number | null
  readonly books_log_index: number | null
}

/** Returns the vault if it exists on the chain now; null without a vault, or while a reorganisation has removed it. */
export const standing = (vault: Vault | null): Vault | null => (vault?.canonical === true ? vault : null)
