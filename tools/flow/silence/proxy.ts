import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** How a system can be gone: its process stands still, it accepts connections and says nothing, or it refuses them. */
export const FAULTS = ['stopped', 'hung', 'closed'] as const
export type Fault = (typeof FAULTS)[number]

/** A proxy in front of a server, which can be gone in each way. */
export interface Proxy {
  readonly port: number
  fail(fault: Fault): Promise<void>
  recover(): Promise<void>
  end(): Promise<void>
}

/** Starts a proxy in a process of its own in front of a server on this machine. */
export async function startProxy(targetPort: number): Promise<Proxy> {
  const main = fileURLToPath(new URL('./proxy-process.ts', import.meta.url))
  const child = fork(main, ['127.0.0.1', String(targetPort)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const told = async () => ((await once(child, 'message')) as [{ readonly port: number }])[0]
  const { port } = await told()
  let fault: Fault | null = null
  const tell = async (what: string) => {
    const answer = told()
    child.send(what)
    await answer
  }
  const recover = async () => {
    if (fault === 'stopped') child.kill('SIGCONT')
    else if (fault !== null) await tell('open')
    fault = null
  }
  return {
    port,
    recover,
    fail: async (next) => {
      fault = next
      if (next === 'stopped') child.kill('SIGSTOP')
      else await tell(next === 'hung' ? 'hang' : 'close')
    },
    end: async () => {
      child.kill('SIGCONT')
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
