import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { git } from './git.ts'
import { findLongForms } from './long-forms.ts'
import { LONG_RUNS, parseLongRuns, reasonToRun, type Since } from './long-runs.ts'
import { coveredFolders } from './project-graph.ts'

const nxFile = z.object({ namedInputs: z.object({ sharedGlobals: z.array(z.string()) }) })
const MARKDOWN = ':(exclude,glob)**/*.md'

export interface DueRuns {
  readonly longForms: number
  /** A line for each long form that needs a run; those that once ran come first. */
  readonly due: readonly string[]
}

/**
 * Compares the stamps with the history: a run covers the project of its file, the projects that this depends on, and the files
 * that Nx counts to every project. Returns null where git has no history. Throws if the document of the stamps is malformed.
 */
export async function findDueRuns(root: string): Promise<DueRuns | null> {
  const stamps = new Map(parseLongRuns(await readFile(join(root, LONG_RUNS), 'utf8')).map((one) => [one.file, one]))
  if ((await git(root, 'rev-parse', 'HEAD')) === null) return null
  const longForms = await findLongForms(root)
  const covered = await coveredFolders(root)
  const shared = await sharedFiles(root)
  const asked = new Map<string, Promise<Since>>()
  const sinceOf = (file: string, commit: string): Promise<Since> => {
    const folder = file
      .split('/')
      .slice(0, file.startsWith('tools/') ? 1 : 2)
      .join('/')
    const key = `${commit} ${folder}`
    const known = asked.get(key) ?? readSince(root, commit, [...(covered.get(folder) ?? [folder]), ...shared])
    asked.set(key, known)
    return known
  }
  const ran: string[] = []
  const never: string[] = []
  for (const file of longForms) {
    const stamp = stamps.get(file)
    const since = stamp === undefined ? 'not in history' : await sinceOf(file, stamp.commit)
    const reason = reasonToRun(stamp, since)
    if (reason !== null) (stamp === undefined ? never : ran).push(`${file}: ${reason}`)
  }
  return { longForms: longForms.length, due: [...ran, ...never] }
}

/** Markdown in the folders does not count: no long run depends on it. */
async function readSince(root: string, commit: string, paths: readonly string[]): Promise<Since> {
  // An unknown commit fails as one that is no ancestor does.
  if ((await git(root, 'merge-base', '--is-ancestor', commit, 'HEAD')) === null) return 'not in history'
  const last = await git(root, 'log', '-1', '--abbrev=10', '--format=%h', `${commit}..HEAD`, '--', ...paths, MARKDOWN)
  if (last === null) return 'not in history'
  return last === '' ? 'unchanged' : { changedBy: last }
}

async function sharedFiles(root: string): Promise<string[]> {
  const { namedInputs } = nxFile.parse(JSON.parse(await readFile(join(root, 'nx.json'), 'utf8')))
  return namedInputs.sharedGlobals.map((input) => input.replace('{workspaceRoot}/', ''))
}

/** Returns the lines to print: a summary, at most `linesMax` long forms, and the number of the others. */
export function linesOf({ longForms, due }: DueRuns, linesMax: number): string[] {
  if (due.length === 0) return []
  const rest = due.length - linesMax
  const all = `and ${rest} more: node tools/with-node24.mjs tools/check-long-runs.ts --all`
  const summary = `${due.length} of ${longForms} long forms need a run (npm run test:long -- FILE):`
  return [summary, ...due.slice(0, linesMax), ...(rest > 0 ? [all] : [])]
}
