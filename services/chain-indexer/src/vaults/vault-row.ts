import type { VaultRow } from '@svc/contracts/chain-indexer/vaults'
import type { StoredVault } from './store/vaults.ts'

/** Converts a stored vault to the wire's form. */
export function vaultRowOf({ address, ...row }: StoredVault): VaultRow {
  return { vault: address, ...row }
}
