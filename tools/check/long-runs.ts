/** The last long run of one test file. */
export interface Stamp {
  /** Test file, relative to the root, with `/`. */
  readonly file: string
  /** Short hash of the commit that was checked out. */
  readonly commit: string
  /** The tree differed from the commit when the run started or ended. */
  readonly hasChanges: boolean
  readonly command: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly durationS: number
  /** UTC day on which the run ended. */
  readonly day: string
}

/** What the history says about a commit: whether it leads to HEAD, and the last commit since that changed what a run covers. */
export type Since = 'not in history' | 'unchanged' | { readonly changedBy: string }

export const LONG_RUNS = 'docs/long-runs.md'
const CHANGES = '+changes'

const HEAD = `# Long runs

Written by \`npm run test:long\`: the last run of each test file that has a long form, with the commit that it ran on.
A run does not count if it failed, if the tree differed from the commit (\`${CHANGES}\`) or if it was of some tests only
(\`-t\`); \`npm run check\` lists what is due.

| test file | commit | command | result | seconds | day |
| --- | --- | --- | --- | --- | --- |
`
const ROW =
  /^\| (?<file>[\w./-]+) \| (?<commit>[\da-f]{7,40})(?<changes> \+changes)? \| `(?<command>[^`]+)` \| (?<result>[^|]+) \| (?<seconds>\d+) \| (?<day>\d{4}-\d\d-\d\d) \|$/
const RESULT = /^(?:(?<failed>\d+) failed, )?(?<passed>\d+) passed(?:, (?<skipped>\d+) skipped)?$/
/** A pattern of names, or the line of a test. */
const PART_OF_A_FILE = / (?:-t|--testNamePattern)\b|:\d+(?= |$)/

/** Returns the document with one row per file, sorted by path. */
export function renderLongRuns(stamps: readonly Stamp[]): string {
  const sorted = stamps.toSorted((a, b) => (a.file < b.file ? -1 : 1))
  return HEAD + sorted.map((stamp) => `${row(stamp)}\n`).join('')
}

function row({ file, commit, hasChanges, command, passed, failed, skipped, durationS, day }: Stamp): string {
  const counts = [failed > 0 && `${failed} failed`, `${passed} passed`, skipped > 0 && `${skipped} skipped`]
  const result = counts.filter((count) => count !== false).join(', ')
  const tree = hasChanges ? `${commit} ${CHANGES}` : commit
  return `| ${file} | ${tree} | \`${command.replaceAll('|', String.raw`\|`)}\` | ${result} | ${durationS} | ${day} |`
}

/** Returns the stamps of the document. Throws an error that names the line if `renderLongRuns` would not write this text. */
export function parseLongRuns(text: string): Stamp[] {
  if (!text.startsWith(HEAD))
    throw new Error(`${LONG_RUNS} does not start with the text that \`npm run test:long\` writes`)
  const rows = text.slice(HEAD.length).split('\n')
  const before = HEAD.split('\n').length
  if (rows.pop() !== '') throw new Error(`${LONG_RUNS} does not end with a line end`)
  const stamps = rows.map((line, index) => parseRow(line, before + index))
  stamps.forEach(({ file }, index) => {
    const previous = stamps[index - 1]?.file ?? ''
    if (previous >= file) throw new Error(`${LONG_RUNS}:${before + index} must come before the row of ${previous}`)
  })
  return stamps
}

function parseRow(line: string, number: number): Stamp {
  const cells = ROW.exec(line)?.groups
  const counts = RESULT.exec(cells?.['result'] ?? '')?.groups
  if (cells === undefined || counts === undefined)
    throw new Error(`${LONG_RUNS}:${number} is not a row that \`npm run test:long\` writes: ${line}`)
  const { file = '', commit = '', changes, command = '', seconds, day = '' } = cells
  return {
    file,
    commit,
    hasChanges: changes !== undefined,
    command: command.replaceAll(String.raw`\|`, '|'),
    passed: Number(counts['passed']),
    failed: Number(counts['failed'] ?? 0),
    skipped: Number(counts['skipped'] ?? 0),
    durationS: Number(seconds),
    day,
  }
}

/** Returns the stamps after a run: a new one replaces that of its file, and files without a long form lose theirs. */
export function mergeStamps(
  existing: readonly Stamp[],
  added: readonly Stamp[],
  longForms: readonly string[],
): Stamp[] {
  const byFile = new Map([...existing, ...added].map((stamp) => [stamp.file, stamp]))
  return longForms.flatMap((file) => byFile.get(file) ?? [])
}

/** Returns the command as the document names it: words as for a shell, paths from the root, settings of the run first. */
export function commandText(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  root: string,
): string {
  const settings = Object.entries(env)
    .filter(([name, value]) => /^(SOAK_\w+|TEST_SEED)$/.test(name) && value !== undefined)
    .map(([name, value]) => `${name}=${value} `)
    .toSorted()
  const filters = words
    .filter((word) => word !== '--long')
    .map((word) => (word.startsWith(`${root}/`) ? word.slice(root.length + 1) : word))
    .map((word) => (/^[\w./:=@+-]+$/.test(word) ? word : `'${word}'`))
  const command = `${settings.join('')}npm run test:long${filters.length === 0 ? '' : ` -- ${filters.join(' ')}`}`
  // A row is one line, and its command is one piece of code.
  return command.replaceAll(/\s+/g, ' ').replaceAll('`', "'")
}

/** Returns why a long form needs a run, or null if its last run counts for HEAD. */
export function reasonToRun(stamp: Stamp | undefined, since: Since): string | null {
  if (stamp === undefined) return 'never ran'
  const { commit, command } = stamp
  if (stamp.failed > 0) return `failed at ${commit}`
  if (stamp.hasChanges) return `ran at ${commit} with changes that were not committed`
  if (PART_OF_A_FILE.test(command)) return `ran only in part at ${commit}`
  if (since === 'not in history') return `ran at ${commit}, which does not lead to HEAD or is not in this clone`
  return since === 'unchanged' ? null : `ran at ${commit}, then ${since.changedBy} changed what it covers`
}
