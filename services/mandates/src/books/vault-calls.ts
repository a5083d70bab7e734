import { prepare } from '@svc/chain'
import { getAddress } from 'viem'
import type { Vault } from './rules/vault.ts'

/** Returns the calls of a vault as calldata. */
export const vaultCalls = (vault: Vault) => prepare(vault.chain_id).vault(getAddress(vault.address))
