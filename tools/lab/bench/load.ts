import { startProcess } from './processes.ts'

export interface Load {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  readonly maxRequests: number
  /** Requests a second, independent of answers; null: each answer triggers the next request. */
  readonly rate: number | null
  /** Complete HTTP requests, sent in rotation. */
  readonly requests: readonly string[]
  /**
   * Whether the generator never sleeps, for a server with a core to itself. A sleeping sender is woken by the server's
   * writes, which on a virtual machine costs the server more than the answers.
   */
  readonly awake: boolean
  /** Position in the list to start at, 0 to 1. */
  readonly offset: number
}

export interface LoadResult {
  readonly done: number
  readonly seconds: number
  /** Milliseconds from the due time of a request to its complete answer. */
  readonly p50: number
  readonly p99: number
  readonly statuses: Readonly<Record<string, number>>
}

export type LoadOptions = Pick<Load, 'port' | 'durationMs' | 'requests'> & Partial<Load>

export interface LoadGenerator extends AsyncDisposable {
  /** Throws unless every answer has the expected status. */
  run(options: LoadOptions, expected?: number): Promise<LoadResult>
}

/** Starts the process that sends requests. */
export async function startLoadGenerator(): Promise<LoadGenerator> {
  const child = await startProcess('load-process.ts', {})
  return {
    run: async (options, expected = 200) => {
      const load: Load = {
        connections: 64,
        maxRequests: 2_000_000,
        rate: null,
        awake: false,
        offset: Math.random(),
        ...options,
      }
      const answer = (await child.ask(load, load.durationMs + 20_000)) as { result?: LoadResult; problem?: string }
      if (answer.result === undefined) throw new Error(`load generator: ${answer.problem}`)
      const { statuses, done } = answer.result
      if (done === 0 || statuses[String(expected)] !== done)
        throw new Error(`expected only ${expected}, got ${JSON.stringify(statuses)}`)
      return answer.result
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

/** Returns a GET request with an API key as text. */
export function get(path: string, key: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-SVC-User-Key: ${key}\r\n\r\n`
}

/** Returns a POST request of JSON with an API key as text. */
export function post(path: string, key: string, body: unknown, headers = ''): string {
  const text = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-SVC-User-Key: ${key}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}
