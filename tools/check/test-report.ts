import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
})

/** Folder below the root for the reports and outcomes of the Nx targets, one folder per project. */
export const testsFolder = 'node_modules/.cache/tests'

/** Returns the arguments with which vitest writes its report into a folder. */
export const reportOf = (folder: string): string[] => ['--reporter=json', `--outputFile.json=${reportFile(folder)}`]

export const reportFile = (folder: string): string => join(folder, 'report.json')

/** Returns the sum of tallies. */
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
  /** Failures other than of single tests, one sentence each. */
  readonly problems: readonly string[]
}

/**
 * Counts the tests of a vitest JSON report. A run without value counts as a failure: no readable report, no tests, a
 * file that did not load, or an exit code that the counted failures do not explain.
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
