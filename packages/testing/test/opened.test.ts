import { expect, test } from 'vitest'
import { openedEach } from '../src/index.ts'

const ended: number[] = []
let begun = 0
const rig = openedEach(async () => {
  const nth = (begun += 1)
  return { nth, stop: () => void ended.push(nth) }
})

test(
  'the second attempt of a test has a rig of its own, which opens after that of the first has ended',
  { retry: 1 },
  () => {
    expect([rig.nth, ended]).toEqual([2, [1]])
  },
)
