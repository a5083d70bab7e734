import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startProcess } from './processes.ts'

const folder = fileURLToPath(new URL('floors', import.meta.url))
const installMs = 300_000

/** Installs the libraries of the floors if they are missing; nothing else in the repository uses them. */
export function installFloors(note: (line: string) => void): void {
  const installed = `${folder}/node_modules/.package-lock.json`
  const versionsIn = (path: string) => {
    const { packages } = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, { version?: string }> }
    return packages
  }
  if (existsSync(installed)) {
    const present = versionsIn(installed)
    const wanted = Object.entries(versionsIn(`${folder}/package-lock.json`)).filter(([path]) => path !== '')
    if (wanted.every(([path, { version }]) => present[path]?.version === version)) return
  }
  note('installing the libraries of the floors (npm ci)')
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    timeout: installMs,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`npm ci in tools/lab/bench/floors failed: ${stderr.slice(-500)}`)
}

/** A floor: its front and back process. */
export interface Floor extends AsyncDisposable {
  readonly pids: readonly number[]
}

export async function startFloor(kind: 'fastify' | 'nest', natsUrl: string, port: number): Promise<Floor> {
  await using parts = new AsyncDisposableStack()
  const environment = { BENCH_NATS_URL: natsUrl, BENCH_PORT: String(port) }
  const [back, front] = kind === 'fastify' ? ['nats-responder', 'fastify-gateway'] : ['nest-service', 'nest-gateway']
  const pids: number[] = []
  for (const script of [back, front]) pids.push(parts.use(await startProcess(`floors/${script}.mjs`, environment)).pid)
  const started = parts.move()
  return { pids, [Symbol.asyncDispose]: () => started.disposeAsync() }
}
