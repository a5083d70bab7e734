export interface TestCommand {
  /** Every test is wanted, not only those whose path matches a word. */
  readonly whole: boolean
  /** The same tests for longer, and those that take too long for every run. */
  readonly long: boolean
  /** Nx runs the projects that changed and takes the reports of the others from its cache. Otherwise one vitest runs. */
  readonly affectedOnly: boolean
  readonly command: readonly string[]
}

/** How a run prints its tests: when each file ends, each failure at once, and a summary. */
export const printing = ['--reporter=default', '--reporter=./tools/check/failure-reporter.ts']

/** Returns how `npm test` runs the tests with these words and in this environment. */
export function testCommand(
  words: readonly string[],
  { CI }: Readonly<Record<string, string | undefined>>,
): TestCommand {
  const long = words.includes('--long')
  const filters = words.filter((word) => word !== '--long')
  const whole = filters.length === 0
  const affectedOnly = whole && !long && CI === undefined
  const command = affectedOnly
    ? ['nx', 'run-many', '--target=test', '--parallel=1', '--outputStyle=stream']
    : ['vitest', 'run', ...printing, ...filters]
  return { whole, long, affectedOnly, command }
}
