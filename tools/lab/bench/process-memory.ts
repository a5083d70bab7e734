import { setTimeout as delay } from 'node:timers/promises'

/** Where a process of Node listens for its inspector, once a signal opened it. */
const INSPECTOR = 'http://127.0.0.1:9229/json/list'
const TRIES = 50
const PAUSE_MS = 100

/** Bytes after a full collection. */
interface Memory {
  /** Heap, and buffers outside it. */
  readonly heap: number
  readonly resident: number
}

interface Reader extends Disposable {
  read(): Promise<Memory>
}

interface Reply {
  readonly id: number
  readonly result: { readonly result?: { readonly value?: unknown } }
}

/** Opens the inspector of a process. Throws if another process listens there. */
export async function memoryOf(pid: number): Promise<Reader> {
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await addressOf())
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error('the inspector cannot be reached')), { once: true })
  })
  let last = 0
  const ask = (method: string, params: object = {}) =>
    new Promise<unknown>((resolve) => {
      const id = (last += 1)
      const hear = ({ data }: MessageEvent) => {
        const reply = JSON.parse(String(data)) as Reply
        if (reply.id !== id) return
        socket.removeEventListener('message', hear)
        resolve(reply.result.result?.value)
      }
      socket.addEventListener('message', hear)
      socket.send(JSON.stringify({ id, method, params }))
    })
  const evaluate = (expression: string) => ask('Runtime.evaluate', { expression, returnByValue: true })
  if ((await evaluate('process.pid')) !== pid) throw new Error('another process listens at the port of the inspector')
  await ask('HeapProfiler.enable')
  return {
    read: async () => {
      // Finalizers of the first collection free what the second one counts.
      await ask('HeapProfiler.collectGarbage')
      await delay(PAUSE_MS)
      await ask('HeapProfiler.collectGarbage')
      const used = (await evaluate('process.memoryUsage()')) as NodeJS.MemoryUsage
      return { heap: used.heapUsed + used.external, resident: used.rss }
    },
    [Symbol.dispose]: () => socket.close(),
  }
}

async function addressOf(): Promise<string> {
  for (let left = TRIES; ; left -= 1)
    try {
      const [target] = (await (await fetch(INSPECTOR)).json()) as { webSocketDebuggerUrl?: string }[]
      if (target?.webSocketDebuggerUrl !== undefined) return target.webSocketDebuggerUrl
      throw new Error('a debugger is connected already')
    } catch (error) {
      if (left === 0) throw error
      await delay(PAUSE_MS)
    }
}
