import { runCommand } from './run-command.ts'

export interface CheckResult {
  readonly name: string
  readonly passed: boolean
  readonly output: string
  readonly durationMs: number
}

/** A named command; it passes when its exit code is 0. */
export interface Check {
  readonly name: string
  readonly run: (root: string, idle: boolean) => Promise<{ code: number; output: string; durationMs: number }>
  /** `true` prints the output also when the check passes. */
  readonly hasNotes?: boolean
  /** `true`: tests read what it makes, or it has servers whose connections time out where it is left no core. */
  readonly beforeTests?: boolean
}

const checkTimeoutMs = 1_800_000
/** A check that leaves the cores to the tests may get none before they have ended. */
const idleCheckTimeoutMs = 3_600_000
const parallelMax = 2

/** Two checks at a time use two cores: programs in Go take a third less of them with one each. */
const ONE_CORE = { GOMAXPROCS: '1' }

/** Runs a program of the workspace with its arguments. */
export const command =
  (...words: string[]): Check['run'] =>
  (root, idle) =>
    runCommand(words, { cwd: root, env: ONE_CORE, timeoutMs: idle ? idleCheckTimeoutMs : checkTimeoutMs, idle })

/**
 * Returns the enforcement table of AGENTS.md, slowest first so that two cores end together. `paths` narrows what judges a
 * file by itself, lint and format; all other checks are of the whole tree.
 */
export const productChecks = (...paths: readonly string[]): readonly Check[] => [
  // Each further checker learns the same types again.
  { name: 'types', run: command('tsc', '--noEmit', '--checkers', '1') },
  { name: 'types of the pages', run: command('tsc', '--noEmit', '--checkers', '1', '-p', 'packages/web') },
  { name: 'types of the lab', run: command('tsc', '--noEmit', '--checkers', '1', '-p', 'tools/lab') },
  { name: 'lint', run: command('oxlint', ...paths) },
  { name: 'unused code and dependencies', run: command('knip', '--no-progress', '--no-config-hints') },
  {
    name: 'imports match package.json',
    run: command('knip', '--no-progress', '--no-config-hints', '--strict', '--include', 'unlisted,unresolved'),
  },
  { name: 'project graph', run: command('node', 'tools/check-graph.ts') },
  { name: 'subjects of services', run: command('node', 'tools/check-subjects.ts') },
  {
    name: 'generated files are fresh',
    run: command('node', 'tools/generate/main.ts', '--check'),
    beforeTests: true,
  },
  { name: 'migrations suit the last release', run: command('node', 'tools/migration-lint/main.ts') },
  { name: 'contracts suit the last release', run: command('node', 'tools/contract-compat/main.ts') },
  { name: 'long runs', run: command('node', 'tools/check-long-runs.ts'), hasNotes: true },
  { name: 'sizes of the pages', run: command('node', 'tools/web/sizes.ts'), beforeTests: true },
  { name: 'format', run: command('oxfmt', '--check', ...paths) },
]

/** Returns the check of a name, or all without one; throws for an unknown name. */
export function checksNamed(name: string | undefined, checks: readonly Check[]): readonly Check[] {
  const chosen = name === undefined ? checks : checks.filter((check) => check.name === name)
  if (chosen.length === 0) throw new Error(`--only takes one of: ${checks.map((check) => check.name).join(', ')}`)
  return chosen
}

/**
 * Runs every check, two at a time, and prints one line for each as it ends, with the output of a failure and of a check that
 * has notes. `idle` leaves the cores to whatever else wants them.
 */
export async function runChecks(
  root: string,
  checks: readonly Check[] = productChecks(),
  idle = false,
): Promise<CheckResult[]> {
  const queue = [...checks]
  const results: CheckResult[] = []
  const runOne = async ({ name, run, hasNotes = false }: Check): Promise<void> => {
    const { code, output, durationMs } = await run(root, idle)
    const result = { name, passed: code === 0, output: output.trim(), durationMs }
    results.push(result)
    print(result, hasNotes)
  }
  const worker = async (): Promise<void> => {
    for (let check = queue.shift(); check; check = queue.shift()) await runOne(check)
  }
  await Promise.all(Array.from({ length: parallelMax }, worker))
  return results
}

function print({ name, passed, output, durationMs }: CheckResult, hasNotes: boolean): void {
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${name.padEnd(30)} ${(durationMs / 1000).toFixed(1).padStart(6)} s`)
  if (output !== '' && (!passed || hasNotes)) console.log(output.replace(/^/gm, '       '))
}
