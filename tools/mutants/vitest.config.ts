import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { mutated, worstPriceMutants } from './mutants.ts'

const root = join(import.meta.dirname, '../..')
const name = process.env['MUTANT'] ?? ''
const mutant = worstPriceMutants.find((one) => one.name === name)

/** Runs unit tests with the fault that MUTANT names in one of the sources. */
export default defineConfig({
  root,
  plugins: [
    {
      name: 'mutant',
      enforce: 'pre',
      transform: (code, id) =>
        mutant !== undefined && id.split('?')[0] === join(root, mutant.file) ? mutated(mutant, code) : undefined,
    },
  ],
  test: {
    include: ['{packages/*,services/*,services/*/*}/src/**/*.test.ts'],
    maxWorkers: 1,
    testTimeout: 720_000,
    // A stored module is one without the fault.
    fsModuleCache: false,
  },
})
