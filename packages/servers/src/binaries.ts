import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { ServerProblem } from './problem.ts'
import { fetchPackage, vendorFolder } from './vendor.ts'
import { systemEnvironment } from './system-environment.ts'

/** An executable with the environment that it needs. */
export interface Binary {
  readonly path: string
  readonly env: Readonly<Record<string, string>>
}

const extraDirs = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin', '/opt/homebrew/sbin']

/** Looks an executable up on PATH and in the usual places beside it. */
export function onPath(name: string): string | null {
  const dirs = [...(process.env.PATH ?? '').split(delimiter).filter((dir) => dir !== ''), ...extraDirs]
  return dirs.map((dir) => join(dir, name)).find((path) => canExecute(path)) ?? null
}

function canExecute(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** nats-server or redis-server: from PATH, else fetched once per user into a cache that all data folders share. */
export async function serverBinary(
  name: 'nats-server' | 'redis-server',
  dataDir: string,
  log: (line: string) => void,
): Promise<Binary> {
  const installed = onPath(name)
  if (installed !== null) return { path: installed, env: {} }
  const folder = vendorFolder(cacheDir(dataDir), name)
  if (!existsSync(folder)) {
    if (onPath('apt-get') === null || onPath('dpkg-deb') === null) {
      throw new ServerProblem(
        `${name} was not found on PATH: install it (macOS: brew install nats-server redis) or use infra/local/compose.yaml.`,
      )
    }
    log(`fetching ${name} (once)`)
    await fetchPackage(name, folder)
  }
  const path = ['usr/sbin', 'usr/bin'].map((dir) => join(folder, dir, name)).find(canExecute)
  if (path === undefined)
    throw new ServerProblem(`The fetched ${name} is incomplete: remove ${folder} and run the command again.`)
  const libraries = ['usr/lib', 'lib'].flatMap((dir) => libraryDirs(join(folder, dir)))
  return {
    path,
    env:
      libraries.length === 0
        ? {}
        : { LD_LIBRARY_PATH: [...libraries, process.env.LD_LIBRARY_PATH ?? []].flat().join(':') },
  }
}

function libraryDirs(dir: string): string[] {
  if (!existsSync(dir)) return []
  return readdirSync(dir)
    .filter((name) => name.includes('-linux-'))
    .map((name) => join(dir, name))
}

function cacheDir(dataDir: string): string {
  const home = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const shared = join(home, 'svc-servers')
  try {
    mkdirSync(shared, { recursive: true })
    accessSync(shared, constants.W_OK)
    return shared
  } catch {
    return join(dataDir, 'vendor')
  }
}

const natsMinimum = [2, 9, 4] as const

/** Throws `ServerProblem` when this nats-server cannot serve the client's consumer API. */
export function checkNatsVersion(version: string, where: string): void {
  const found = /(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [0, 0, 0]
  const difference = natsMinimum.map((part, index) => (found[index] ?? 0) - part).find((part) => part !== 0) ?? 0
  if (difference < 0) {
    throw new ServerProblem(
      `${where} has version ${found.join('.')} and at least ${natsMinimum.join('.')} is needed (2.10.27 is recommended): update it or use infra/local/compose.yaml.`,
    )
  }
}

/** Version text that a binary prints. */
export function binaryVersion(binary: Binary): string {
  return execFileSync(binary.path, ['--version'], {
    encoding: 'utf8',
    env: { ...systemEnvironment(), ...binary.env },
  }).trim()
}
