import { existsSync, statfsSync } from 'node:fs'
import { glob, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { recordExamples } from '../generate/record-examples.ts'
import { productChecks, runChecks } from './checks.ts'
import { cpuLines, cpuRowsIn, endedChildren } from './cpu-report.ts'
import { unobserved } from './outcomes.ts'
import { runCommand } from './run-command.ts'
import { startStamps } from './stamp-long-runs.ts'
import { testCommand } from './test-command.ts'
import { reportFile, reportOf, sumOf, tally, testsFolder, type Tally } from './test-report.ts'

interface Run {
  readonly tests: Tally
  readonly code: number
  readonly missing: readonly string[]
}

const root = dirname(dirname(import.meta.dirname))
const minuteMs = 60_000
/** Room that the servers of a run never fill. */
const MEMORY_MIN_BYTES = 12 * 2 ** 30

const { whole, long, affectedOnly, command } = testCommand(process.argv.slice(2), process.env)
const writeStamps = long ? await startStamps(root, process.argv.slice(2)) : null

/**
 * Names the memory of a CI machine as the folder for temporary files, if there is plenty: on a disk the databases that tests
 * clone and drop cost a tenth more CPU time. The long run fills it for too long, and a killed run leaves its files behind.
 */
function temporaryFolder(): Record<string, string> {
  const memory = '/dev/shm'
  const { CI, TMPDIR } = process.env
  if (CI === undefined || TMPDIR !== undefined || long || !existsSync(memory)) return {}
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, process.availableMemory()) < MEMORY_MIN_BYTES ? {} : { TMPDIR: memory }
}

/** CPU time of the test files, as their workers noted it. */
let cpuRows = ''

/** Runs one vitest over all tests, or over those that match the filters: servers are started once and shared. */
async function runTogether(): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'vitest-report-'))
  try {
    const { code } = await runCommand([...command, ...reportOf(folder)], {
      cwd: root,
      live: true,
      timeoutMs: (long ? 1_440 : 360) * minuteMs,
      env: { TEST_OUTCOMES: folder, ...temporaryFolder(), ...(long ? { TEST_LONG: '1' } : {}) },
    })
    if (process.env['TEST_EXAMPLES'] !== undefined)
      for (const name of await recordExamples(folder)) console.log(`no example yet: ${name}`)
    const tests = await tally(reportFile(folder), code)
    await writeStamps?.(reportFile(folder))
    cpuRows = cpuRowsIn(folder)
    return { tests, code, missing: whole ? await unobserved([folder]) : [] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs the projects that changed since their tests passed here; the reports of the others come from the cache of Nx. */
async function runAffected(): Promise<Run> {
  const { code } = await runCommand(command, { cwd: root, live: true, timeoutMs: 360 * minuteMs })
  const folders: string[] = []
  for await (const manifest of glob(['{packages/*,services/*,services/*/*}/package.json', 'tools/package.json'], {
    cwd: root,
  }))
    folders.push(join(root, testsFolder, dirname(manifest)))
  const tests = sumOf(await Promise.all(folders.map((folder) => tally(reportFile(folder), 0))))
  return { tests, code, missing: await unobserved(folders.filter((folder) => existsSync(folder))) }
}

/** Compiles every service once: processes that tests kill keep nothing of what they compiled. */
async function fillCompileCache(): Promise<void> {
  const { code, output } = await runCommand(['node', 'tools/check/load-services.ts'], {
    cwd: root,
    timeoutMs: 10 * minuteMs,
  })
  if (code !== 0) console.log(`the services could not be loaded:\n${output}`)
}

/** With a filter only some tests are wanted, so the checks of the whole tree are skipped. */
const wanted = whole ? productChecks() : []
const { first = [], beside = [] } = Object.groupBy(wanted, ({ beforeTests }) => (beforeTests ? 'first' : 'beside'))
const [checks] = await Promise.all([runChecks(root, first), whole ? fillCompileCache() : null])
// They only read, in the times in which tests wait.
const others = runChecks(root, beside, true)
const { tests, code, missing } = affectedOnly ? await runAffected() : await runTogether()
checks.push(...(await others))
if (whole) {
  for (const outcome of missing) console.log(`declared, but seen in no test: ${outcome}`)
  const name = 'declared outcomes are observed'
  checks.push({ name, passed: missing.length === 0, output: missing.join('\n'), durationMs: 0 })
}
if (whole && long) {
  const alone = async (name: string, words: readonly string[], env: Record<string, string> = {}) => {
    const { code: ended, output, durationMs } = await runCommand(words, { cwd: root, timeoutMs: 180 * minuteMs, env })
    if (ended !== 0) console.log(output)
    checks.push({ name, passed: ended === 0, output, durationMs })
  }
  // Nothing else runs now, so that times mean something.
  await alone('paints of the pages', ['node', 'tools/web/paint.ts'])
  // The way out of React stays open: the same source, built with Preact, passes the same browser tests.
  await alone('pages built with Preact', ['vitest', 'run', '--project', 'web'], { WEB_PREACT: '1' })
}
const failedChecks = checks.filter((check) => !check.passed)
for (const check of failedChecks) console.log(`check failed: ${check.name}`)
for (const problem of tests.problems) console.log(problem)
if (tests.skipped > 0) console.log(`${tests.skipped} skipped`)
const unexplained = code !== 0 && tests.failed === 0 ? 1 : 0
if (unexplained > 0) console.log(`the test run ended with code ${code} although no test failed`)
const passed = tests.passed + checks.length - failedChecks.length
const failed = tests.failed + failedChecks.length + unexplained
for (const line of cpuLines(root, cpuRows, endedChildren())) console.log(line)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
