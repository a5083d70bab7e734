import type { Tx } from '@svc/postgres'
import type { Mandate } from './rules/mandate.ts'
import { lockMandateById } from './store/mandates.ts'
import { lockVault } from '#books/store/vaults.ts'
import type { Vault } from '#books/rules/vault.ts'

/** A locked vault with its locked mandate. */
export interface Scene {
  readonly vault: Vault
  readonly mandate: Mandate
}

/** Locks a vault, attached or not, and then its mandate; returns null if the vault belongs to no mandate. */
export async function lockScene(tx: Tx, chainId: number, address: string): Promise<Scene | null> {
  const vault = await lockVault(tx, chainId, address)
  return vault === null ? null : { vault, mandate: await lockMandateById(tx, vault.mandate_id) }
}
