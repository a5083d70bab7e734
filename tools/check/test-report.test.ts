import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tally } from './test-report.ts'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'report-'))))
afterAll(() => rm(folder, { recursive: true }))

const file = (statuses: string[], status = statuses.includes('failed') ? 'failed' : 'passed') => ({
  name: 'a.test.ts',
  status,
  assertionResults: statuses.map((one) => ({ status: one, fullName: 'adds' })),
})

async function tallyOf(files: ReturnType<typeof file>[], exitCode: number) {
  const all = files.flatMap((one) => one.assertionResults.map((test) => test.status))
  const count = (status: string) => all.filter((one) => one === status).length
  const path = join(folder, 'report.json')
  const counts = { numPassedTests: count('passed'), numFailedTests: count('failed'), numPendingTests: count('pending') }
  await writeFile(path, JSON.stringify({ ...counts, testResults: files }))
  return tally(path, exitCode)
}

test('passed, failed and skipped tests are counted', async () => {
  const result = await tallyOf([file(['passed', 'failed']), file(['passed', 'pending'])], 1)
  expect(result).toEqual({ passed: 2, failed: 1, skipped: 1, problems: [] })
})

test('a file that does not load is a failure', async () => {
  expect(await tallyOf([file(['passed']), file([], 'failed')], 1)).toMatchObject({ passed: 1, failed: 1 })
})

test('a run without tests is a failure', async () => {
  expect(await tallyOf([], 0)).toMatchObject({ passed: 0, failed: 1, problems: ['no test ran'] })
})

test('an exit code that no failure explains is a failure', async () => {
  expect(await tallyOf([file(['passed'])], 1)).toMatchObject({ passed: 1, failed: 1 })
})

test('a crash without a complete report is a failure', async () => {
  const broken = join(folder, 'broken.json')
  await writeFile(broken, '{"numPassedTests": 3')
  expect(await tally(join(folder, 'missing.json'), 134)).toMatchObject({ failed: 1 })
  expect(await tally(broken, 139)).toMatchObject({ failed: 1 })
})
