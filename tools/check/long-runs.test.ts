import { expect, test } from 'vitest'
import { commandText, mergeStamps, parseLongRuns, reasonToRun, renderLongRuns, type Stamp } from './long-runs.ts'

const stamp = (file: string, changes: Partial<Stamp> = {}): Stamp => ({
  file,
  commit: '0123abcdef',
  hasChanges: false,
  command: 'npm run test:long',
  passed: 12,
  failed: 0,
  skipped: 0,
  durationS: 360,
  day: '2026-03-01',
  ...changes,
})
const a = stamp('packages/a/test/a.test.ts')
const b = stamp('services/b/test/b.test.ts', {
  hasChanges: true,
  failed: 2,
  skipped: 1,
  command: "npm run x -- -t 'a|b'",
})

test('the document of long runs is read as it was written, sorted by path', () => {
  expect(parseLongRuns(renderLongRuns([b, a]))).toEqual([a, b])
  expect(parseLongRuns(renderLongRuns([]))).toEqual([])
  expect(renderLongRuns([b])).toContain(
    String.raw`| services/b/test/b.test.ts | 0123abcdef +changes | ${'`'}npm run x -- -t 'a\|b'${'`'} | 2 failed, 12 passed, 1 skipped | 360 | 2026-03-01 |`,
  )
})

const text = renderLongRuns([a, b])
const [first = '', second = ''] = text.trimEnd().split('\n').slice(-2)

test.each([
  ['the mark of a merge conflict', text.replace(first, `<<<<<<< HEAD\n${first}`), 'is not a row'],
  ['two rows of one file', text.replace(second, first), 'must come before the row of'],
  ['rows in another order', text.replace(`${first}\n${second}`, `${second}\n${first}`), 'must come before the row of'],
  ['a result without counts', text.replace('| 12 passed |', '| fine |'), 'is not a row'],
  ['a commit that is none', text.replace('0123abcdef', 'main'), 'is not a row'],
  ['another introduction', text.replace('# Long', '# Short'), 'does not start with'],
  ['no line end', text.trimEnd(), 'does not end with'],
])('a document of long runs with %s is malformed', (_what, malformed, problem) => {
  expect(() => parseLongRuns(malformed)).toThrow(problem)
})

test('the error about a malformed row names its line', () => {
  const line = text.split('\n').indexOf(second) + 1
  expect(() => parseLongRuns(text.replace(second, 'x'))).toThrow(`docs/long-runs.md:${line} is not a row`)
})

test('a new stamp replaces that of its file, and a file without a long form loses its stamp', () => {
  const newer = stamp(a.file, { commit: 'fedcba9876' })
  const gone = stamp('packages/gone/test/gone.test.ts')
  expect(mergeStamps([a, gone, b], [newer], [a.file, b.file, 'tools/c.test.ts'])).toEqual([newer, b])
})

test.each([
  ['never ran', undefined, 'unchanged', 'never ran'],
  ['passed, with nothing changed since', a, 'unchanged', null],
  ['passed before a change', a, { changedBy: '4567' }, 'ran at 0123abcdef, then 4567 changed what it covers'],
  ['ran on an unknown commit', a, 'not in history', 'which does not lead to HEAD'],
  ['failed', stamp('a', { failed: 1 }), 'unchanged', 'failed at 0123abcdef'],
  ['ran on a changed tree', stamp('a', { hasChanges: true }), 'unchanged', 'with changes that were not committed'],
  ['ran with a pattern', stamp('a', { command: 'npm run test:long -- a -t x' }), 'unchanged', 'only in part'],
  ['ran one line', stamp('a', { command: 'npm run test:long -- a.test.ts:12' }), 'unchanged', 'only in part'],
  ['ran in a folder', stamp('a', { command: 'npm run test:long -- services/a-t' }), 'unchanged', null],
] as const)('a long form that %s has the reason to run that follows', (_what, last, since, reason) => {
  const found = reasonToRun(last, since)
  if (reason === null) expect(found).toBeNull()
  else expect(found).toContain(reason)
})

test('the command of a stamp has its filters and the settings of the run, and no path of the machine', () => {
  expect(commandText(['--long'], {}, '/srv')).toBe('npm run test:long')
  const env = { SOAK_MINUTES: '10', TEST_LONG: '1', MARKET_REPLAY_DIR: '/data', TEST_SEED: undefined }
  expect(commandText(['--long', '/srv/tools/flow', '-t', 'a `b`\nc'], env, '/srv')).toBe(
    "SOAK_MINUTES=10 npm run test:long -- tools/flow -t 'a 'b' c'",
  )
})
