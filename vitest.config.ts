import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/check/longest-first.ts'

const long = process.env['TEST_LONG'] === '1'
const second = 1000

// Time limits end what hangs; they are no measure: on a busy machine everything may take several times as long.

/** Servers are shared by a run and databases belong to one file each, so files may run side by side. */
const withServers = {
  globalSetup: ['./packages/testing/src/global-setup.ts'],
  testTimeout: (long ? 600 : 120) * second,
  hookTimeout: 300 * second,
  // On a shared machine a deadline can be missed for want of a core; the report names each test that was tried twice.
  retry: process.env['CI'] === undefined ? 0 : 1,
}

const UNDER_LOAD = 'tools/flow/under-load/**/*.test.ts'

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than there are cores: many tests wait for a clock, a venue or a process that they killed. Two more make
    // whole platforms miss their deadlines and gain nothing.
    maxWorkers: Math.min(5, availableParallelism() + 1),
    teardownTimeout: 20 * second,
    restoreMocks: true,
    // Files of a project follow one another in a process: loading the code anew for each took a third of the CPU.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Projects of a group start in the order of their names: flows, which take longest and mostly wait, then
    // integration, and unit tests fill the cores at the end.
    projects: [
      {
        test: {
          name: 'flow',
          include: ['tools/flow/**/*.test.ts'],
          exclude: ['**/node_modules/**', UNDER_LOAD],
          ...withServers,
        },
      },
      { test: { name: 'integration', include: ['{packages,services}/*/test/**/*.test.ts'], ...withServers } },
      {
        test: {
          name: 'unit',
          include: ['{packages,services}/*/src/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'tools/flow/**'],
          testTimeout: (long ? 300 : 60) * second,
          hookTimeout: 60 * second,
        },
      },
      {
        test: {
          name: 'web',
          include: ['packages/web/test/e2e/**/*.e2e.ts'],
          globalSetup: ['./tools/web/share-world.ts'],
          testTimeout: (long ? 300 : 90) * second,
          hookTimeout: 120 * second,
          retry: process.env['CI'] === undefined ? 0 : 1,
          // The world itself works beside them, and budgets of CPU time want a quiet machine.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      // It makes the machine busy, so nothing runs at the same time, and it has servers of its own.
      { test: { name: 'load', include: [UNDER_LOAD], maxWorkers: 1, sequence: { groupOrder: 2 } } },
    ],
  },
})
