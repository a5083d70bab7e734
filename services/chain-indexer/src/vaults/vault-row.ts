import type { VaultRow } from '@svc/contracts/chain-indexer/vaults'
import type { StoredVault } from './store/vaults.ts'

/** A stored vault as answers have it. */
export function vaultRowOf({ address, ...row }: StoredVault): VaultRow {
  return { vault: address, ...row }
}
