import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { printing, testCommand } from './test-command.ts'

const ALL_TESTS = ['vitest', 'run', ...printing]

test('npm test on a machine of a developer runs the target test of every project, and Nx takes those without a change from its cache', () => {
  const { affectedOnly, command } = testCommand([], {})
  expect(affectedOnly).toBe(true)
  // No list of projects and no --skip-nx-cache.
  expect(command).toEqual(['nx', 'run-many', '--target=test', '--parallel=1', '--outputStyle=stream'])
  const nx = z
    .object({ targetDefaults: z.object({ test: z.object({ cache: z.boolean(), inputs: z.array(z.unknown()) }) }) })
    .parse(JSON.parse(readFileSync(new URL('../../nx.json', import.meta.url), 'utf8')))
  expect(nx.targetDefaults.test.cache).toBe(true)
  // A change in a project or in one that it depends on runs its tests again.
  expect(nx.targetDefaults.test.inputs).toEqual(expect.arrayContaining(['default', '^default']))
})

test('npm test in CI runs every test of every project, without a cache', () => {
  expect(testCommand([], { CI: 'true' })).toEqual({ whole: true, long: false, affectedOnly: false, command: ALL_TESTS })
})

test('npm run test:long runs every test, without a cache', () => {
  expect(testCommand(['--long'], {})).toEqual({ whole: true, long: true, affectedOnly: false, command: ALL_TESTS })
})

test('npm test with a path runs the tests below it, without a cache', () => {
  for (const environment of [{}, { CI: 'true' }])
    expect(testCommand(['services/mining'], environment)).toEqual({
      whole: false,
      long: false,
      affectedOnly: false,
      command: [...ALL_TESTS, 'services/mining'],
    })
})
