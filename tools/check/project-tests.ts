import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runCommand } from './run-command.ts'
import { printing } from './test-command.ts'
import { reportOf, testsFolder } from './test-report.ts'

/** Runs the tests of one project, as the Nx target `test`, and leaves its report and outcomes where Nx caches them. */
const [project = ''] = process.argv.slice(2)
const root = dirname(dirname(import.meta.dirname))
const folder = join(root, testsFolder, project)
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const { code } = await runCommand(
  ['vitest', 'run', '--passWithNoTests', ...printing, ...reportOf(folder), `${project}/`],
  { cwd: root, live: true, timeoutMs: 360 * 60_000, env: { TEST_OUTCOMES: folder } },
)
process.exitCode = code
