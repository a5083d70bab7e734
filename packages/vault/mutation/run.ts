import { createHash } from 'node:crypto'
import type { ForgeRun } from '../src/forge.ts'
import type { Mutant } from './mutant.ts'
import { copyProject, type Project } from './project.ts'

/** `invalid`: the fault does not compile, so it proves nothing about the tests. */
export type Verdict = 'killed' | 'survived' | 'invalid'

export interface Outcome {
  readonly mutant: Mutant
  readonly verdict: Verdict
  /** The test that failed, or the compiler's message. */
  readonly by: string
  readonly durationMs: number
}

type Part = Parameters<Project['test']>[0]

const parallel = 2

/** Returns `count` of the mutants, the same ones for the same seed. */
export function drawMutants(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const place = (mutant: Mutant): string => createHash('sha256').update(`${seed} ${mutant.name}`).digest('hex')
  return mutants.toSorted((a, b) => (place(a) < place(b) ? -1 : 1)).slice(0, count)
}

/**
 * Runs the contracts' tests once for each mutant, two mutants at a time, and returns the verdict on each. Rejects if the
 * tests fail without a mutant.
 */
export async function runMutants(
  mutants: readonly Mutant[],
  onOutcome: (outcome: Outcome) => void = () => undefined,
): Promise<Outcome[]> {
  const first = await copyProject()
  const projects = [first]
  try {
    await expectSound(first, 'unit')
    while (projects.length < Math.min(parallel, mutants.length)) projects.push(await copyProject(first.folder))
    const queue = [...mutants]
    const outcomes: Outcome[] = []
    let invariants: Promise<void> | null = null
    const work = async (project: Project): Promise<void> => {
      for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
        const { part, ...outcome } = await runMutant(project, mutant)
        // They take as long as a mutant, and unit tests find most faults before them.
        if (part === 'invariant') await (invariants ??= expectSound(project, part))
        outcomes.push(outcome)
        onOutcome(outcome)
      }
    }
    await Promise.all(projects.map(work))
    return outcomes
  } finally {
    await Promise.all(projects.map((project) => project.remove()))
  }
}

async function expectSound(project: Project, part: Part): Promise<void> {
  const { code, stdout, stderr } = await project.test(part)
  if (code !== 0) throw new Error(`The tests fail without a mutant:\n${stdout}\n${stderr}`)
}

/** Returns the verdict on a mutant, and the last part of the tests that was run. */
async function runMutant(project: Project, mutant: Mutant): Promise<Outcome & { part: Part }> {
  const started = performance.now()
  let last: Part = 'unit'
  const [verdict, by] = await project.withMutant(mutant, async (): Promise<[Verdict, string]> => {
    for (const part of ['unit', 'invariant'] as const) {
      last = part
      const run = await project.test(part)
      if (run.code !== 0) return judge(run)
    }
    return ['survived', '']
  })
  return { mutant, verdict, by, durationMs: performance.now() - started, part: last }
}

function judge({ stdout, stderr }: ForgeRun): [Verdict, string] {
  const failed = /^\[FAIL[^\n]*\] (\w+)/m.exec(stdout)?.[1] ?? /^ (invariant_\w+)/m.exec(stdout)?.[1]
  return failed === undefined ? ['invalid', `${stderr}\n${stdout}`.trim().slice(0, 2_000)] : ['killed', failed]
}
