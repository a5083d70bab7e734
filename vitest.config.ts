import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/check/longest-first.ts'

const long = process.env['TEST_LONG'] === '1'
const second = 1000

// Time limits end what hangs; they are no measure: on a busy machine everything may take several times as long.

/** On a shared machine a deadline can be missed for want of a core; the report names each test that was tried twice. */
const retry = process.env['CI'] === undefined ? 0 : 1

/** Servers are shared by a run and databases belong to one file each, so files may run side by side. */
const withServers = {
  globalSetup: ['./packages/testing/src/global-setup.ts'],
  testTimeout: (long ? 600 : 120) * second,
  hookTimeout: 300 * second,
  retry,
}

/** With more workers than cores, whole platforms take so much longer that they miss deadlines. */
const cores = Math.min(5, availableParallelism())
/** Tests of one service wait a third of their time: for a poll, a lock, a lease, or a process that was killed. */
const oneMore = cores + 1

const UNDER_LOAD = 'tools/flow/under-load/**/*.test.ts'

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: cores,
    teardownTimeout: 20 * second,
    restoreMocks: true,
    // Files of a project follow one another in a process: loading the code anew for each took a third of the CPU.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Flows first, then integration and unit tests, then the browser. A group starts when the one before has ended.
    projects: [
      {
        test: {
          name: 'flow',
          include: ['tools/flow/**/*.test.ts'],
          exclude: ['**/node_modules/**', UNDER_LOAD],
          ...withServers,
          globalSetup: [...withServers.globalSetup, './tools/flow/prepared-folder.ts'],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{packages,services}/*/test/**/*.test.ts'],
          ...withServers,
          maxWorkers: oneMore,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'unit',
          include: ['{packages,services}/*/src/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'tools/flow/**'],
          testTimeout: (long ? 300 : 60) * second,
          hookTimeout: 60 * second,
          retry,
          maxWorkers: oneMore,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'web',
          include: ['packages/web/test/e2e/**/*.e2e.ts'],
          globalSetup: ['./tools/web/share-world.ts'],
          testTimeout: (long ? 600 : 240) * second,
          hookTimeout: 120 * second,
          expect: { poll: { timeout: 40 * second } },
          retry,
          maxWorkers: oneMore,
          sequence: { groupOrder: 2 },
        },
      },
      // It makes the machine busy, so nothing runs at the same time, and it has servers of its own.
      { test: { name: 'load', include: [UNDER_LOAD], maxWorkers: 1, sequence: { groupOrder: 3 } } },
    ],
  },
})
