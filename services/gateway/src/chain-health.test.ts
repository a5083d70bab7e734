import { expect, test } from 'vitest'
import { chainHealth, type ChainHead } from './chain-health.ts'

const headAt = (head: number, stopped: string | null = null): ChainHead => ({
  head,
  streams: [{ stream: 'vault_events', next_block: 101, stopped }],
})

/** Looks once for each answer; null means that nobody answers. Returns the codes after each look. */
async function codesAfter(answers: readonly (ChainHead | null)[]): Promise<string[][]> {
  const left = [...answers]
  const health = chainHealth({
    readHead: async () => left.shift() ?? Promise.reject(new Error('nobody answers')),
  })
  const codes: string[][] = []
  for (const _ of answers) {
    await health.look()
    codes.push(health.problems().map(({ code }) => code))
  }
  return codes
}

test('a chain that is behind at the start is a problem at once', async () => {
  expect(await codesAfter([headAt(36)])).toEqual([['chain_behind']])
  expect(await codesAfter([headAt(100)])).toEqual([[]])
})

test('a node that lags for two looks is no problem, a third look makes it one, and a chain that catches up ends it', async () => {
  const answers = [headAt(100), headAt(99), headAt(99), headAt(99), headAt(101)]
  expect(await codesAfter(answers)).toEqual([[], [], [], ['chain_behind'], []])
})

test('a look without an answer keeps the problems', async () => {
  expect(await codesAfter([headAt(36), null])).toEqual([['chain_behind'], ['chain_behind']])
})

test('a stopped stream is a problem at once', async () => {
  expect(await codesAfter([headAt(100, 'deep')])).toEqual([['chain_stream_stopped']])
})
