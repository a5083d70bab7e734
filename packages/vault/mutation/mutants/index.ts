import type { Mutant } from '../mutant.ts'
import { agentMutants } from './agent.ts'
import { closingMutants } from './closing.ts'
import { factoryMutants } from './factory.ts'
import { ledgerMutants } from './ledger.ts'
import { legMutants } from './leg.ts'
import { ownerMutants } from './owner.ts'
import { reentryMutants } from './reentry.ts'
import { venueMutants } from './venue.ts'

/** Every fault that the tests must notice. */
export const mutants: readonly Mutant[] = [
  ...ledgerMutants,
  ...ownerMutants,
  ...agentMutants,
  ...closingMutants,
  ...reentryMutants,
  ...legMutants,
  ...factoryMutants,
  ...venueMutants,
]
