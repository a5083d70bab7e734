import { contracts } from '@svc/contracts/all'
import { expect, test } from 'vitest'
import { dryLinesIn, lastDay, textOf } from './last-day.ts'

const until = new Date('2026-11-23T12:00:00.000Z')
const line = (more: object) =>
  JSON.stringify({ level: 30, time: '2026-11-23T08:00:00.000Z', service: 'keeper', job: 'mark', dry: true, ...more })
const reported = (...lines: string[]) => lastDay(contracts, dryLinesIn(lines.join('\n'), until))
const textsOf = (...lines: string[]) => reported(...lines).map(textOf)

test('every worker that can run dry is named, also one that logged nothing', () => {
  const named = reported().map(({ service, job }) => `${service}.${job}`)
  for (const one of ['keeper.mark', 'hl-leg.stopLine', 'mandates.sendAlerts', 'subscriptions.publishBalanceRoot'])
    expect(named).toContain(one)
  expect(textsOf()).toContainEqual(expect.stringMatching(/^keeper +mark +nothing logged/))
})

test('decisions count by what would have been done, and reports by their figures', () => {
  const texts = textsOf(
    line({ do: 'mark', public_id: 'mdt_1' }),
    line({ do: 'mark', public_id: 'mdt_1' }),
    line({ do: 'mark', public_id: 'mdt_2' }),
    line({ service: 'chain-indexer', job: 'vaultEvents', done: 3, next_block: 90 }),
    line({ service: 'chain-indexer', job: 'vaultEvents', done: 4, next_block: 94 }),
  )
  expect(texts).toContainEqual(expect.stringContaining('would: mark 3 (2 mandates)'))
  expect(texts).toContainEqual(expect.stringContaining('reports: done 7; last'))
})

test('lines of live runs, of another day and of other services are left out', () => {
  const lines = [
    line({ do: 'mark', public_id: 'a', dry: false }),
    line({ do: 'mark', public_id: 'b', time: '2026-11-22T11:59:59.000Z' }),
    line({ do: 'mark', public_id: 'c', time: '2026-11-23T12:00:01.000Z' }),
    line({ do: 'mark', public_id: 'd', service: 'mining' }),
    'no json "dry":true',
  ]
  expect(reported(...lines)).toEqual(reported())
})
