import { expect, test } from 'vitest'
import { readAhead } from './read-ahead.ts'

const never = new AbortController().signal

test('readAhead yields items in order and requests two further items while the consumer processes one', async () => {
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

test('readAhead rejects with a failed read after it has yielded the items before it', async () => {
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

test("readAhead aborts the read in progress when the consumer fails, and raises only the consumer's error", async () => {
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
