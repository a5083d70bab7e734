import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/check/longest-first.ts'

const long = process.env['TEST_LONG'] === '1'
const second = 1000

// A time limit ends what hangs: it is at least ten times what the longest test takes on a quiet machine.
const minute = 60 * second
/** Longer than one wait of `eventually`, so that a wait that hangs ends with its own reason. */
const hookTimeout = 40 * minute
const everywhere = { expect: { poll: { timeout: 10 * minute } }, setupFiles: ['./tools/check/count-cpu.ts'] }

/** Servers are shared by a run and databases belong to one file each, so files may run side by side. */
const withServers = {
  globalSetup: ['./packages/testing/src/global-setup.ts'],
  testTimeout: (long ? 240 : 40) * minute,
  hookTimeout,
  ...everywhere,
}

/** With more workers than cores, whole platforms take much longer and gain nothing. */
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
          include: ['{packages/*,services/*,services/*/*}/test/**/*.test.ts'],
          ...withServers,
          maxWorkers: oneMore,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'unit',
          include: ['{packages/*,services/*,services/*/*}/src/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'tools/flow/**'],
          testTimeout: (long ? 60 : 12) * minute,
          hookTimeout,
          ...everywhere,
          maxWorkers: oneMore,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'web',
          include: ['packages/web/test/e2e/**/*.e2e.ts'],
          globalSetup: ['./tools/web/share-world.ts'],
          // The longest tests try every failure of every page.
          testTimeout: (long ? 180 : 40) * minute,
          hookTimeout,
          ...everywhere,
          maxWorkers: oneMore,
          sequence: { groupOrder: 2 },
        },
      },
      // It makes the machine busy, so nothing runs at the same time, and it has servers of its own.
      {
        test: {
          name: 'load',
          include: [UNDER_LOAD],
          testTimeout: 180 * minute,
          hookTimeout,
          ...everywhere,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
