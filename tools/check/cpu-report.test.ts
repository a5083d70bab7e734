import { expect, test } from 'vitest'
import { cpuLines, endedChildrenOf } from './cpu-report.ts'

const rows = (...files: readonly (readonly [string, number])[]) =>
  files.map(([file, seconds]) => JSON.stringify({ file: `/r/${file}`, seconds })).join('\n')

test('adds the CPU seconds of test files per project, and names the rest', () => {
  const seen = rows(
    ['services/mining/test/a.test.ts', 2],
    ['services/mining/src/b.test.ts', 1],
    ['tools/flow/c.test.ts', 8],
  )
  expect(cpuLines('/r', seen, 20)).toEqual([
    'CPU      9 s  servers, processes and checks',
    'CPU      8 s  tools/flow',
    'CPU      3 s  services/mining',
    'CPU     20 s  in all',
  ])
})

test('reads the time of ended children behind a program name with spaces and brackets', () => {
  const stat = '7 (a (b) c) S 1 7 7 0 -1 4194560 10 20 0 0 11 12 250 50 20 0 1 0'
  expect(endedChildrenOf(stat)).toBe(3)
})
