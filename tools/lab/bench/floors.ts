import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startProcess, type Child } from './processes.ts'

const folder = fileURLToPath(new URL('floors', import.meta.url))
const installMs = 300_000

/** Brings what the floors are made of, once; nothing else in the repository uses it. */
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
  note('installing what the floors need (npm ci)')
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    timeout: installMs,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`npm ci in tools/lab/bench/floors failed: ${stderr.slice(-500)}`)
}

/** A floor: front and back as processes. */
export async function startFloor(kind: 'fastify' | 'nest', natsUrl: string, port: number): Promise<readonly Child[]> {
  const environment = { BENCH_NATS_URL: natsUrl, BENCH_PORT: String(port) }
  const [back, front] = kind === 'fastify' ? ['nats-responder', 'fastify-gateway'] : ['nest-service', 'nest-gateway']
  return [await startProcess(`floors/${back}.mjs`, environment), await startProcess(`floors/${front}.mjs`, environment)]
}
