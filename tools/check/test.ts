import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runChecks } from './checks.ts'
import { unobserved } from './outcomes.ts'
import { runCommand } from './run-command.ts'
import { tally } from './test-report.ts'

const root = dirname(dirname(import.meta.dirname))
const minuteMs = 60_000

const words = process.argv.slice(2)
const long = words.includes('--long')
const filters = words.filter((word) => word !== '--long')

/** A filter asks about some tests, so the checks of the whole tree stay out of its way. */
const checks = filters.length > 0 ? [] : await runChecks(root)

const folder = await mkdtemp(join(tmpdir(), 'vitest-report-'))
try {
  const reportFile = join(folder, 'report.json')
  const { code } = await runCommand(
    ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`, ...filters],
    {
      cwd: root,
      live: true,
      timeoutMs: (long ? 240 : 40) * minuteMs,
      env: { TEST_OUTCOMES: folder, ...(long ? { TEST_LONG: '1' } : {}) },
    },
  )
  const tests = await tally(reportFile, code)
  if (filters.length === 0) {
    const missing = await unobserved(folder)
    for (const outcome of missing) console.log(`declared, but seen in no test: ${outcome}`)
    checks.push({
      name: 'declared outcomes are observed',
      passed: missing.length === 0,
      output: missing.join('\n'),
      durationMs: 0,
    })
  }
  const failedChecks = checks.filter((check) => !check.passed)
  for (const check of failedChecks) console.log(`check failed: ${check.name}`)
  for (const problem of tests.problems) console.log(problem)
  if (tests.skipped > 0) console.log(`${tests.skipped} skipped`)
  const passed = tests.passed + checks.length - failedChecks.length
  const failed = tests.failed + failedChecks.length
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || code !== 0 ? 1 : 0
} finally {
  await rm(folder, { recursive: true, force: true })
}
