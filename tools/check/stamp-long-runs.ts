import { readFile, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { git } from './git.ts'
import { findLongForms } from './long-forms.ts'
import { commandText, LONG_RUNS, mergeStamps, parseLongRuns, renderLongRuns, type Stamp } from './long-runs.ts'

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
})

interface Tree {
  readonly commit: string
  readonly hasChanges: boolean
}

/** Returns the commit that is checked out, and whether any other file than that of the stamps differs from it. */
async function readTree(root: string): Promise<Tree | null> {
  const commit = await git(root, 'rev-parse', '--short=10', 'HEAD')
  const changes = await git(root, 'status', '--porcelain', '--', '.', `:(exclude)${LONG_RUNS}`)
  return commit === null || changes === null ? null : { commit, hasChanges: changes !== '' }
}

/**
 * Notes the commit before a long run. The function that it returns takes the path of vitest's JSON report after the run, writes
 * a stamp for each long form that ran, and prints what it wrote. It never rejects: a run of hours keeps its result.
 */
export async function startStamps(
  root: string,
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<(reportFile: string, endedAt?: Date) => Promise<void>> {
  const before = await readTree(root)
  return async (reportFile, endedAt = new Date()) => {
    try {
      const after = await readTree(root)
      if (before === null || after === null) return console.log('no stamps of this run: git cannot read the commit')
      const hasChanges = before.hasChanges || after.hasChanges || before.commit !== after.commit
      const longForms = await findLongForms(root)
      const { testResults } = report.parse(JSON.parse(await readFile(reportFile, 'utf8')))
      const run = { commit: before.commit, hasChanges, command: commandText(words, env, root) }
      const stamps = testResults
        .map((result) => stampOf(root, result, { ...run, day: endedAt.toISOString().slice(0, 10) }))
        .filter(({ file, passed, failed }) => longForms.includes(file) && passed + failed > 0)
      await writeStamps(root, stamps, longForms)
    } catch (error) {
      console.log(`no stamps of this run: ${String(error)}`)
    }
  }
}

function stampOf(
  root: string,
  { name, status, startTime, endTime, assertionResults }: z.output<typeof report>['testResults'][number],
  run: Pick<Stamp, 'commit' | 'hasChanges' | 'command' | 'day'>,
): Stamp {
  const count = (wanted: string) => assertionResults.filter((test) => test.status === wanted).length
  const failed = count('failed')
  const passed = count('passed')
  return {
    file: relative(root, name).split(sep).join('/'),
    ...run,
    passed,
    // A file that did not load, or a hook that failed.
    failed: status === 'failed' ? Math.max(failed, 1) : failed,
    skipped: assertionResults.length - failed - passed,
    durationS: Math.max(0, Math.round((endTime - startTime) / 1000)),
  }
}

/** A document that cannot be read stays as it is, and the new rows are printed to be inserted by hand. */
async function writeStamps(root: string, stamps: readonly Stamp[], longForms: readonly string[]): Promise<void> {
  if (stamps.length === 0) return
  const path = join(root, LONG_RUNS)
  try {
    const existing = parseLongRuns(await readFile(path, 'utf8'))
    await writeFile(path, renderLongRuns(mergeStamps(existing, stamps, longForms)))
    console.log(`${LONG_RUNS}: ${stamps.length} ${stamps.length === 1 ? 'stamp' : 'stamps'} written`)
  } catch (error) {
    console.log(`${String(error)}\nThe stamps of this run:\n${renderLongRuns(stamps)}`)
  }
}
