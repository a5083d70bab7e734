import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { readBlockHash } from './chain/operations/read-block-hash.ts'
import { readHead } from './chain/operations/read-head.ts'
import { readTransaction } from './transactions/operations/read-transaction.ts'
import { readVault } from './vaults/operations/read-vault.ts'
import { readVaultLeg } from './vaults/operations/read-vault-leg.ts'
import { readVaults } from './vaults/operations/read-vaults.ts'
import { simulateCall } from './chain/operations/simulate-call.ts'
import { watchAddress } from './deposits/operations/watch-address.ts'
import { watchTransaction } from './transactions/operations/watch-transaction.ts'

/** The function of each operation. */
export const handlers = {
  readHead,
  readBlockHash,
  readTransaction,
  watchTransaction,
  watchAddress,
  readVault,
  readVaultLeg,
  readVaults,
  simulateCall,
} satisfies Handlers<Context, typeof chainIndexer>
