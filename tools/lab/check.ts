import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checksNamed, command, runChecks, type Check } from '@svc/tools/check/checks.ts'

const checks: readonly Check[] = [
  { name: 'types', run: command('tsc', '--noEmit', '--project', 'tools/lab') },
  { name: 'lint', run: command('oxlint', '--config', 'tools/lab/oxlint.json', 'tools/lab') },
  {
    name: 'unused code and dependencies',
    run: command('knip', '--no-progress', '--no-config-hints', '--workspace', 'tools/lab'),
  },
  { name: 'tests', run: command('vitest', 'run', 'tools/lab') },
]

/** Runs the checks of the lab, which `npm run check` leaves out, or with `--only NAME` one of them; exits 1 when one fails. */
const { only } = parseArgs({ options: { only: { type: 'string' } } }).values
const results = await runChecks(join(import.meta.dirname, '../..'), checksNamed(only, checks))
if (results.some(({ passed }) => !passed)) process.exitCode = 1
