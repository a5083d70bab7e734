import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { checksNamed, productChecks, runChecks } from './checks.ts'

const root = dirname(dirname(import.meta.dirname))
/** `--only NAME` runs one check. Other words are folders to lint and to judge the format of; none: all. */
const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true })
const results = await runChecks(root, checksNamed(values.only, productChecks(...positionals)))
const failed = results.filter((result) => !result.passed)
if (failed.length > 0) {
  console.log(`${failed.length} of ${results.length} checks failed: ${failed.map((result) => result.name).join(', ')}`)
  process.exitCode = 1
}
