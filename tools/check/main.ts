import { dirname } from 'node:path'
import { runChecks } from './checks.ts'

const root = dirname(dirname(import.meta.dirname))
const results = await runChecks(root)
const failed = results.filter((result) => !result.passed)
if (failed.length > 0) {
  console.log(`${failed.length} of ${results.length} checks failed: ${failed.map((result) => result.name).join(', ')}`)
  process.exitCode = 1
}
