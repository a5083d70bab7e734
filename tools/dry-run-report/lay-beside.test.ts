import { expect, test } from 'vitest'
import { agrees, decisionsIn, layBeside } from './lay-beside.ts'

const line = (more: object) =>
  JSON.stringify({
    level: 30,
    time: '2026-11-22T12:04:10.000Z',
    service: 'keeper',
    job: 'mark',
    dry: true,
    do: 'mark',
    public_id: 'mdt_1',
    worth: '400',
    ...more,
  })
const laid = (...lines: string[]) => layBeside(decisionsIn(lines.join('\n')))

test('a dry decision and a live one of the same minute are one pair, and agree if their amounts do', () => {
  const pairs = laid(line({}), line({ dry: false, time: '2026-11-22T12:04:59.000Z' }))
  expect(pairs).toHaveLength(1)
  expect(pairs.every(agrees)).toBe(true)
})

test('another minute, mandate, job or act is another pair without a counterpart', () => {
  for (const other of [
    { time: '2026-11-22T12:05:00.000Z' },
    { public_id: 'mdt_2' },
    { job: 'settle' },
    { do: 'fund' },
  ]) {
    const pairs = laid(line({}), line({ dry: false, ...other }))
    expect(pairs).toHaveLength(2)
    expect(pairs.some(agrees)).toBe(false)
  }
})

test('amounts that differ are named, and ids that are new in each process are not', () => {
  const [pair] = laid(line({ transfer_id: 'a' }), line({ dry: false, worth: '401', transfer_id: 'b' }))
  expect(pair?.differing).toEqual(['worth'])
})

test('lines that are no decisions are left out', () => {
  expect(decisionsIn(['', 'no json', '{"time":"x"}', line({ dry: 'yes' }), line({})].join('\n'))).toHaveLength(1)
})
