import { join } from 'node:path'
import { command, runChecks } from '@svc/tools/check/checks.ts'

/** Checks of the lab, which `npm run check` leaves out; exits 1 when one fails. */
const results = await runChecks(join(import.meta.dirname, '../..'), [
  { name: 'types', run: command('tsc', '--noEmit', '--project', 'tools/lab') },
  { name: 'lint', run: command('oxlint', '--config', 'tools/lab/oxlint.json', 'tools/lab') },
  {
    name: 'unused code and dependencies',
    run: command('knip', '--no-progress', '--no-config-hints', '--workspace', 'tools/lab'),
  },
  { name: 'tests', run: command('vitest', 'run', 'tools/lab') },
])
if (results.some(({ passed }) => !passed)) process.exitCode = 1
