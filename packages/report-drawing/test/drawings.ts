import { BroadcastChannel, threadId } from 'node:worker_threads'

// Publishes which thread has loaded this file.
const loaded = new BroadcastChannel('drawings')
loaded.postMessage(threadId)
loaded.close()

/** Returns which thread draws. */
export function drawThread(): Promise<number> {
  return Promise.resolve(threadId)
}

/** Sets `gate[1]` when it begins, and ends once `gate[0]` is not zero. */
export function drawWhenTold({ gate, text }: { readonly gate: Int32Array; readonly text: string }): Promise<string> {
  Atomics.store(gate, 1, 1)
  Atomics.wait(gate, 0, 0, 20_000)
  return Promise.resolve(text)
}

/** Ends its thread by an uncaught error if the text is empty. */
export function drawOrDie(text: string): Promise<string> {
  if (text !== '') return Promise.resolve(text)
  return new Promise(() =>
    setImmediate(() => {
      throw new Error('nothing catches this')
    }),
  )
}
