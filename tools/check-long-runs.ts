import { dirname } from 'node:path'
import { findDueRuns, linesOf } from './check/due-long-runs.ts'

/**
 * Prints the long forms of tests whose last run is older than what they cover, which is information: it exits 1 only if the
 * document of the stamps is malformed. `--all` prints every one.
 */
const linesMax = process.argv.includes('--all') ? Infinity : 8
try {
  const found = await findDueRuns(dirname(import.meta.dirname))
  const lines = found === null ? ['git has no history here, so the long runs are not judged'] : linesOf(found, linesMax)
  for (const line of lines) console.log(line)
} catch (error) {
  console.log(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
