import { dirname } from 'node:path'
import { contracts } from '@svc/contracts/all'
import { expect, test } from 'vitest'
import { sourcesOf } from './sources-page.ts'

const sources = await sourcesOf(contracts, dirname(dirname(import.meta.dirname)))

test('each operation is declared in the contract of a subject', () => {
  expect(sources.length).toBeGreaterThan(200)
  expect(sources.filter(({ declared }) => declared === null)).toEqual([])
})

test('the file of each operation follows from its name and the subject of its contract', () => {
  expect(sources.filter(({ written }) => written === null)).toEqual([])
})

test('each operation is named by a test', () => {
  expect(sources.filter(({ tested }) => tested === null)).toEqual([])
})
