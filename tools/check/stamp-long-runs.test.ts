import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findDueRuns, linesOf } from './due-long-runs.ts'
import { git } from './git.ts'
import { findLongForms } from './long-forms.ts'
import { LONG_RUNS, parseLongRuns, renderLongRuns } from './long-runs.ts'
import { startStamps } from './stamp-long-runs.ts'

/** Split, so that this file itself has no long form. */
const LONG = ['process.env', "['TEST_LONG'] === '1'"].join('')
const A = 'packages/a/test/a.test.ts'
const B = 'services/b/test/b.test.ts'
const ENDED = new Date('2026-03-01T10:00:00.000Z')

let root: string
let printed: string[]

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

const project = (folder: string, layer: string, dependencies: Record<string, string>) =>
  put(`${folder}/package.json`, JSON.stringify({ name: `@svc/${folder}`, nx: { tags: [layer] }, dependencies }))

async function commit(): Promise<string> {
  await git(root, 'add', '.')
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false']
  await git(root, ...author, 'commit', '--no-verify', '-m', 'test: change')
  return (await git(root, 'rev-parse', '--short=10', 'HEAD')) ?? ''
}

/** Writes a report as that of vitest. */
async function report(...files: { name: string; status?: string; tests?: string[] }[]): Promise<string> {
  const testResults = files.map(({ name, status = 'passed', tests = ['passed', 'passed'] }) => ({
    name: join(root, name),
    status,
    startTime: 1_000,
    endTime: 62_400,
    assertionResults: tests.map((one) => ({ status: one })),
  }))
  await put('.cache/report.json', JSON.stringify({ testResults }))
  return join(root, '.cache/report.json')
}

const stamps = async () => parseLongRuns(await readFile(join(root, LONG_RUNS), 'utf8'))
const due = async () => (await findDueRuns(root))?.due

async function run(words: readonly string[], ...files: Parameters<typeof report>): Promise<void> {
  const write = await startStamps(root, ['--long', ...words], {})
  await write(await report(...files), ENDED)
}

beforeEach(async () => {
  printed = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line))
  root = await realpath(await mkdtemp(join(tmpdir(), 'stamps-')))
  await put('.gitignore', '.cache\n')
  await put('nx.json', JSON.stringify({ namedInputs: { sharedGlobals: ['{workspaceRoot}/package-lock.json'] } }))
  await put(LONG_RUNS, renderLongRuns([]))
  await project('packages/a', 'layer:library', {})
  await project('services/b', 'layer:service', { '@svc/packages/a': '*' })
  await put(A, `const long = ${LONG}\n`)
  await put('packages/a/test/short.test.ts', 'const runs = 10\n')
  await put('services/b/test/b.suite.ts', `export const long = ${LONG}\n`)
  await put(B, "import { long } from './b.suite.ts'\n")
  await git(root, 'init', '-q')
})

afterEach(() => rm(root, { recursive: true }))

test('a test file has a long form if it or a module that it imports reads TEST_LONG', async () => {
  await put('services/b/test/comment.test.ts', '/** More with TEST_LONG, as in b.suite.ts. */\n')
  expect(await findLongForms(root)).toEqual([A, B])
})

test('a long run writes a stamp for each long form that ran, with the commit, command, result and duration', async () => {
  const hash = await commit()
  const skipped = { name: A, tests: ['skipped'] }
  await run(['services/b'], { name: B }, skipped, { name: 'packages/a/test/short.test.ts' })
  const expected = { file: B, commit: hash, hasChanges: false, command: 'npm run test:long -- services/b' }
  const result = { passed: 2, failed: 0, skipped: 0, durationS: 61, day: '2026-03-01' }
  expect(await stamps()).toEqual([{ ...expected, ...result }])
  expect(printed).toEqual(['docs/long-runs.md: 1 stamp written'])
  // The document of the stamps itself is no change of the tree.
  await run([], { name: A }, { name: B, status: 'failed', tests: [] })
  expect(await stamps()).toMatchObject([
    { file: A, hasChanges: false, failed: 0 },
    { file: B, hasChanges: false, failed: 1, command: 'npm run test:long' },
  ])
})

test('a long run is marked if the tree differs from the commit, or changes during the run', async () => {
  await commit()
  await put('packages/a/src/a.ts', 'export const a = 1\n')
  await run([], { name: A })
  expect(await stamps()).toMatchObject([{ hasChanges: true }])
  await commit()
  const write = await startStamps(root, ['--long'], {})
  await put('packages/a/src/a.ts', 'export const a = 2\n')
  await commit()
  await write(await report({ name: A }))
  expect(await stamps()).toMatchObject([{ hasChanges: true }])
})

test('long forms are due that never ran, or whose project or a dependency of it changed since', async () => {
  await commit()
  await run([], { name: B })
  const ran = await commit()
  expect(await due()).toEqual([`${A}: never ran`])
  await run([], { name: A }, { name: B })
  await commit()
  expect(await due()).toEqual([])
  await put('packages/a/README.md', '# a\n')
  await put('docs/other.md', '# Other\n')
  await commit()
  expect(await due()).toEqual([])
  await put('services/b/src/main.ts', 'export const b = 1\n')
  const ofB = await commit()
  expect(await due()).toEqual([`${B}: ran at ${ran}, then ${ofB} changed what it covers`])
  await put('package-lock.json', '{}\n')
  await commit()
  expect(await due()).toHaveLength(2)
  await run([], { name: A }, { name: B })
  await put('packages/a/src/a.ts', 'export const a = 1\n')
  await commit()
  expect(await due()).toHaveLength(2)
})

test('a long run is due if the history does not have its commit', async () => {
  await commit()
  await run([], { name: A })
  const text = await readFile(join(root, LONG_RUNS), 'utf8')
  await put(LONG_RUNS, text.replace(/[\da-f]{10}/, '0000000000'))
  expect(await due()).toContain(`${A}: ran at 0000000000, which does not lead to HEAD or is not in this clone`)
})

test('the stamps of a run are printed if the document cannot take them', async () => {
  await commit()
  await put(LONG_RUNS, '<<<<<<< HEAD\n')
  await run([], { name: A })
  expect(printed.join('\n')).toMatch(/does not start with[^]*packages\/a\/test\/a\.test\.ts \|/)
  expect(await readFile(join(root, LONG_RUNS), 'utf8')).toBe('<<<<<<< HEAD\n')
  await expect(findDueRuns(root)).rejects.toThrow('does not start with')
})

test('a tree without a history gets no stamps and no list, and a run without a report no stamps', async () => {
  await commit()
  await (
    await startStamps(root, ['--long'], {})
  )(join(root, 'missing.json'))
  expect(printed.pop()).toContain('no stamps of this run')
  await rm(join(root, '.git'), { recursive: true })
  await run([], { name: A })
  expect(printed.pop()).toContain('no stamps of this run: git')
  expect(await findDueRuns(root)).toBeNull()
  expect(await stamps()).toEqual([])
})

test('the list of due runs has a summary, a maximum of lines and the number of the others', () => {
  expect(linesOf({ longForms: 5, due: [] }, 2)).toEqual([])
  expect(linesOf({ longForms: 5, due: ['a', 'b'] }, 2)).toEqual([expect.stringContaining('2 of 5'), 'a', 'b'])
  expect(linesOf({ longForms: 5, due: ['a', 'b', 'c'] }, 2).at(-1)).toContain('1 more')
})
