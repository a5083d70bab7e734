import { expect, test } from 'vitest'
import { inBatches } from './in-batches.ts'

const items = Array.from({ length: 3_702 }, (_, at) => at)

test('every item is sent once, in order, and a batch is sent while the one before it is processed', async () => {
  const sent: number[] = []
  const open: (() => void)[] = []
  const done = inBatches(items, (batch) => {
    sent.push(...batch)
    return new Promise<void>((resolve) => void open.push(resolve))
  })
  await Promise.resolve()
  expect(sent).toEqual(items.slice(0, 3_000))
  while (sent.length < items.length || open.length > 0) {
    open.shift()?.()
    await new Promise(setImmediate)
  }
  await done
  expect(sent).toEqual(items)
})

test('the first failure rejects the whole run, and no batch is sent after it', async () => {
  let sent = 0
  const failing = inBatches(items, async () => {
    sent += 1
    throw new Error(`batch ${sent}`)
  })
  await expect(failing).rejects.toThrow('batch 1')
  expect(sent).toBe(2)
})

test('an empty list sends no batch', async () => {
  await expect(inBatches([], () => Promise.reject(new Error('sent')))).resolves.toBeUndefined()
})
