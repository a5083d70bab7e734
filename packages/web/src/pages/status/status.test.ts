import { contracts } from '@svc/contracts/all'
import { tellingServices } from '@svc/contracts/gallery/status'
import { expect, test } from 'vitest'
import { ko } from './words.ko.ts'

test('every worker that the status page shows has a Korean name, and no other', () => {
  const told: readonly string[] = tellingServices
  const workers = contracts
    .filter(({ name }) => told.includes(name))
    .flatMap(({ name, jobs }) => Object.keys(jobs).map((job) => `${name} ${job}`))
  expect(Object.keys(ko.names).toSorted()).toEqual(workers.toSorted())
})
