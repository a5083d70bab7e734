import type { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { readBlockHash } from './operations/read-block-hash.ts'
import { readHead } from './operations/read-head.ts'
import { readTransaction } from './operations/read-transaction.ts'
import { readVault } from './operations/read-vault.ts'
import { readVaults } from './operations/read-vaults.ts'
import { simulateCall } from './operations/simulate-call.ts'
import { watchAddress } from './operations/watch-address.ts'
import { watchTransaction } from './operations/watch-transaction.ts'

/** The function of each operation. */
export const handlers = {
  readHead,
  readBlockHash,
  readTransaction,
  watchTransaction,
  watchAddress,
  readVault,
  readVaults,
  simulateCall,
} satisfies Handlers<Context, typeof chainIndexer>
