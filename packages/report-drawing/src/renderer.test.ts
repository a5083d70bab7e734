import { BroadcastChannel } from 'node:worker_threads'
import { isOutage } from '@svc/service'
import { expect, test, vi } from 'vitest'
import { openRenderer } from './renderer.ts'

/** Only what hangs takes this long. */
const HANG_MS = 600_000

const file = new URL('../test/drawings.ts', import.meta.url)
const failureOf = (drawing: Promise<unknown>): Promise<unknown> =>
  drawing.then(
    () => null,
    (error: unknown) => error,
  )

test('a full queue and a closing renderer are outages; files accepted before are finished', async () => {
  const sizes = { what: 'letters', threadsMax: 1, waitingMax: 2 }
  const renderer = openRenderer<{ gate: Int32Array; text: string }, string>(file, 'drawWhenTold', sizes)
  const gate = new Int32Array(new SharedArrayBuffer(8))
  const first = renderer.draw({ gate, text: 'first' })
  await vi.waitFor(() => expect(Atomics.load(gate, 1)).toBe(1), { timeout: HANG_MS })
  const waiting = ['second', 'third'].map((text) => renderer.draw({ gate, text }))

  const refused = await failureOf(renderer.draw({ gate, text: 'fourth' }))
  expect(isOutage(refused)).toBe(true)
  expect(refused).toMatchObject({ message: 'letters: too many letters are being drawn' })

  const closed = renderer.close()
  const late = await failureOf(renderer.draw({ gate, text: 'late' }))
  expect(isOutage(late)).toBe(true)
  expect(late).toMatchObject({ message: 'letters: the service is stopping' })

  Atomics.store(gate, 0, 1)
  Atomics.notify(gate, 0)
  expect(await Promise.all([first, ...waiting])).toEqual(['first', 'second', 'third'])
  await closed
})

test('a thread that dies fails only the file that it draws; waiting and later files are drawn in another thread', async () => {
  const renderer = openRenderer<string, string>(file, 'drawOrDie', { what: 'letters', threadsMax: 1, waitingMax: 9 })
  try {
    const dying = failureOf(renderer.draw(''))
    const waiting = renderer.draw('waiting')
    const error = await dying
    expect(error).toMatchObject({ message: 'nothing catches this' })
    expect(isOutage(error)).toBe(false)
    expect(await waiting).toBe('waiting')
    expect(await renderer.draw('next')).toBe('next')
  } finally {
    await renderer.close()
  }
})

test('a renderer that keeps warm has a thread with its module before the first file, and draws it there', async () => {
  const channel = new BroadcastChannel('drawings')
  const loadedIn: number[] = []
  channel.onmessage = (message) => loadedIn.push(message.data as number)
  const sizes = { what: 'letters', threadsMax: 1, waitingMax: 9, keepsWarm: true }
  const renderer = openRenderer<string, number>(file, 'drawThread', sizes)
  try {
    await vi.waitFor(() => expect(loadedIn).toHaveLength(1), { timeout: HANG_MS })
    expect([await renderer.draw('')]).toEqual(loadedIn)
  } finally {
    channel.close()
    await renderer.close()
  }
})
