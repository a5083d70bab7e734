import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  testResults: z.array(
    z.object({ name: z.string(), status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
})

/** Where the Nx target of a project leaves its report and outcomes, below the root: a folder per project. */
export const testsFolder = 'node_modules/.cache/tests'

/** Arguments that have vitest write its report into a folder. */
export const reportOf = (folder: string): string[] => ['--reporter=json', `--outputFile.json=${reportFile(folder)}`]

export const reportFile = (folder: string): string => join(folder, 'report.json')

/** Adds tallies up. */
export function sumOf(tallies: readonly Tally[]): Tally {
  const add = (count: (tally: Tally) => number) => tallies.reduce((sum, tally) => sum + count(tally), 0)
  return {
    passed: add(({ passed }) => passed),
    failed: add(({ failed }) => failed),
    skipped: add(({ skipped }) => skipped),
    problems: tallies.flatMap(({ problems }) => problems),
  }
}

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** What failed besides single tests, one sentence each. */
  readonly problems: readonly string[]
}

/**
 * Counts the tests of a vitest JSON report. Whatever makes a run worth nothing counts as a failure of its own:
 * no readable report, no tests, a file that did not load, or an exit code that the counted failures do not explain.
 */
export async function tally(reportFile: string, exitCode: number): Promise<Tally> {
  const read = await readReport(reportFile)
  if (read === null) {
    const problem = `vitest ended with code ${exitCode} and left no report`
    return { passed: 0, failed: 1, skipped: 0, problems: [problem] }
  }
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = read
  const problems = testResults
    .filter((file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'))
    .map((file) => `${file.name} could not be run to its end`)
  if (numPassedTests + numFailedTests === 0) problems.push('no test ran')
  if (exitCode !== 0 && numFailedTests + problems.length === 0)
    problems.push(`vitest ended with code ${exitCode} although no test failed`)
  return {
    passed: numPassedTests,
    failed: numFailedTests + problems.length,
    skipped: numPendingTests,
    problems,
  }
}

async function readReport(file: string): Promise<z.output<typeof report> | null> {
  try {
    return report.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}
