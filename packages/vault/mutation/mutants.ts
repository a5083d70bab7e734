import { generateMutants } from './generate.ts'
import { factoryFaults } from './hand-picked/factory.ts'
import { legFaults } from './hand-picked/leg.ts'
import { vaultFaults } from './hand-picked/vault.ts'
import { venueFaults } from './hand-picked/venue.ts'
import { mutantOf, type Mutant } from './mutant.ts'

/** Returns every mutant: the generated ones, then the hand-picked ones. Throws if the contracts do not compile. */
export const allMutants = (): readonly Mutant[] => [
  ...generateMutants(),
  ...[...vaultFaults, ...legFaults, ...factoryFaults, ...venueFaults].map(mutantOf),
]
