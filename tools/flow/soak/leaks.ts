import { createServer } from 'node:net'
import pg from 'pg'

/** What a process can be made to leak, so that a test shows that the soak notices it. Each leak is a figure of the soak. */
export const PROCESS_LEAKS = ['heapMb', 'listeners', 'sockets', 'timers', 'connections'] as const
export type ProcessLeak = (typeof PROCESS_LEAKS)[number]

/** Objects of one leak of heap, about 1.5 MB. */
const OBJECTS = 40_000
const DAYS_24_MS = 2 ** 31 - 1

const kept: unknown[] = []
const neverAborted = new AbortController()

const leaks: Readonly<Record<ProcessLeak, (postgresUrl: string) => Promise<void>>> = {
  heapMb: async () => void kept.push(Array.from({ length: OBJECTS }, (_, at) => ({ at }))),
  listeners: async () => neverAborted.signal.addEventListener('abort', () => kept.length),
  sockets: () => new Promise((listening) => createServer().listen(0, '127.0.0.1', listening)),
  timers: async () => void setTimeout(() => kept.length, DAYS_24_MS),
  connections: async (connectionString) => {
    const client = new pg.Client({ connectionString })
    client.on('error', () => {})
    await client.connect()
    kept.push(client)
  },
}

/** Leaks once. `postgresUrl` is the database to which a leaked connection goes. */
export const leakOnce = (kind: ProcessLeak, postgresUrl: string): Promise<void> => leaks[kind](postgresUrl)
