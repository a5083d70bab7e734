import { BroadcastChannel, threadId } from 'node:worker_threads'

// Tells which thread has loaded this file.
const loaded = new BroadcastChannel('drawings')
loaded.postMessage(threadId)
loaded.close()

/** Tells which thread draws. */
export function drawThread(): Promise<number> {
  return Promise.resolve(threadId)
}

/** Says in the second place of `gate` that it has begun, and ends once the first is no longer zero. */
export function drawWhenTold({ gate, text }: { readonly gate: Int32Array; readonly text: string }): Promise<string> {
  Atomics.store(gate, 1, 1)
  Atomics.wait(gate, 0, 0, 20_000)
  return Promise.resolve(text)
}

/** Ends the thread it is called in, by an error that nothing catches, when the text is empty. */
export function drawOrDie(text: string): Promise<string> {
  if (text !== '') return Promise.resolve(text)
  return new Promise(() =>
    setImmediate(() => {
      throw new Error('nothing catches this')
    }),
  )
}
