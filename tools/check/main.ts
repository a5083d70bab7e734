import { dirname } from 'node:path'
import { productChecks, runChecks } from './checks.ts'

const root = dirname(dirname(import.meta.dirname))
/** Folders to lint and to judge the format of; none: all. */
const paths = process.argv.slice(2)
const results = await runChecks(root, productChecks(...paths))
const failed = results.filter((result) => !result.passed)
if (failed.length > 0) {
  console.log(`${failed.length} of ${results.length} checks failed: ${failed.map((result) => result.name).join(', ')}`)
  process.exitCode = 1
}
