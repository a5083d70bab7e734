import { expect, test } from 'vitest'
import { readAhead } from './read-ahead.ts'

const never = new AbortController().signal

test('items come in order, the next two are asked for before the present one is done with, and none further', async () => {
  let read = 0
  const seen: number[][] = []
  const numbers = async function* () {
    while (read < 5) yield ++read
  }
  for await (const item of readAhead(never, numbers)) {
    await new Promise(setImmediate)
    seen.push([item, read])
  }
  expect(seen).toEqual([
    [1, 3],
    [2, 4],
    [3, 5],
    [4, 5],
    [5, 5],
  ])
})

test('a failed reading is met after the items before it', async () => {
  const seen: number[] = []
  const failing = async function* () {
    yield 1
    throw new Error('away')
  }
  const reading = async () => {
    for await (const item of readAhead(never, failing)) seen.push(item)
  }
  await expect(reading()).rejects.toThrow('away')
  expect(seen).toEqual([1])
})

test('when the consumer fails, the reading under way ends by its signal and nothing else is raised', async () => {
  let ended = false
  const endless = async function* (signal: AbortSignal) {
    yield 1
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        ended = true
        reject(new Error('aborted'))
      })
    })
  }
  const reading = async () => {
    for await (const item of readAhead(never, endless)) throw new Error(`item ${item}`)
  }
  await expect(reading()).rejects.toThrow('item 1')
  expect(ended).toBe(true)
})
