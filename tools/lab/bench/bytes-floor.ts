import { writeFileSync } from 'node:fs'
import { freePort } from '@svc/servers'
import { get, startLoadGenerator } from './load.ts'
import { startProcess } from './processes.ts'
import { percent, type Figure } from './result.ts'
import { measure } from './variant.ts'

/** An answer of the edge that is compared with the same bytes from bare Fastify. */
export interface Compared {
  readonly port: number
  readonly pids: readonly number[]
  readonly path: string
  /** What a report calls the request, if its path is long. */
  readonly name?: string
  /** Keys of the callers, who ask in turn; nobody has one without. */
  readonly keys?: readonly string[]
  /** Where the bytes may be kept. */
  readonly file: string
  readonly short: boolean
  /** Share of the floor that is wanted. */
  readonly goal: number
  readonly holdsBack: string
}

/** Measures an answer against the same bytes from bare Fastify, in turn. */
export async function againstBytes(compared: Compared): Promise<Figure> {
  const { port, pids, path, name: called = path, keys, file, short, goal, holdsBack } = compared
  const key = keys?.[0]
  const headers = key === undefined ? {} : { 'x-svc-user-key': key }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  writeFileSync(file, bytes)
  const floorPort = await freePort()
  await using floor = await startProcess('floors/fastify-bytes.mjs', {
    BENCH_PORT: String(floorPort),
    BENCH_PATH: new URL(path, answer.url).pathname,
    BENCH_FILE: file,
    BENCH_ETAG: answer.headers.get('etag') ?? '',
  })
  await using generator = await startLoadGenerator()
  const load = (to: number) => ({
    port: to,
    requests: keys?.map((one) => get(path, one)) ?? [`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`],
    connections: 16,
    durationMs: short ? 2_000 : 3_000,
  })
  const measured = await measure(
    generator,
    [
      { name: 'edge', pids, load: load(port) },
      { name: 'floor', pids: [floor.pid], load: load(floorPort) },
    ],
    short ? 3 : 5,
  )
  const rate = (name: string) => measured.get(name)?.perSecond ?? 0
  const share = rate('edge') / rate('floor')
  const cpu = (name: string) => `${(measured.get(name)?.cpu ?? NaN).toFixed(0)} µs`
  return {
    what: `\`GET ${called}\` from the cache, requests per second against the same ${bytes.length.toLocaleString('en')} bytes from bare Fastify`,
    goal: `≥ ${percent(goal)}`,
    measured: `${percent(share)} (${rate('edge').toFixed(0)} a second, ${cpu('edge')} of CPU; floor ${rate('floor').toFixed(0)}, ${cpu('floor')})`,
    met: share >= goal,
    holdsBack,
  }
}
