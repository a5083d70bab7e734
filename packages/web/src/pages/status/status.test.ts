import { contracts } from '@svc/contracts/all'
import { tellingServices } from '@svc/contracts/gallery/status'
import { expect, test } from 'vitest'
import { ko } from './words.ko.ts'
import { en } from './words.ts'

test.each([
  ['English', en],
  ['Korean', ko],
] as const)('every worker that the status page shows has a name in %s, and no other', (_, { names }) => {
  const told: readonly string[] = tellingServices
  const workers = contracts
    .filter(({ name }) => told.includes(name))
    .flatMap(({ name, jobs }) => Object.keys(jobs).map((job) => `${name} ${job}`))
  expect(Object.keys(names).toSorted()).toEqual(workers.toSorted())
})
