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

/** Finds an executable on PATH or in the usual folders. */
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

/**
 * Sources of servers that this system lacks. The nats-server of stable Debian and Ubuntu is years old, so it comes from
 * Debian's next release; it needs only the C library.
 */
const SOURCES = {
  'nats-server': { suite: 'forky', usable: (binary: Binary) => natsIsCurrent(binaryVersion(binary)) },
  'redis-server': { suite: null, usable: () => true },
  // Not a server: it tests the rules of Prometheus.
  promtool: { suite: 'forky', usable: () => true },
} as const

/** Returns a server or promtool from PATH, or fetches it once per user into a cache that all data folders share. */
export async function serverBinary(
  name: keyof typeof SOURCES,
  dataDir: string,
  log: (line: string) => void,
): Promise<Binary> {
  const { suite, usable } = SOURCES[name]
  const installed = onPath(name)
  if (installed !== null && usable({ path: installed, env: {} })) return { path: installed, env: {} }
  const folder = vendorFolder(cacheDir(dataDir), suite === null ? name : `${name}-${suite}`)
  if (!existsSync(folder)) {
    if (onPath('apt-get') === null || onPath('dpkg-deb') === null) {
      throw new ServerProblem(
        `${name} was not found on PATH: install it (macOS: brew install nats-server redis prometheus) or use infra/local/compose.yaml.`,
      )
    }
    log(`fetching ${name} (once)`)
    await fetchPackage(name, folder, suite)
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

/** Oldest nats-server that still gets fixes; permissions and streams are tested with the versions of Debian and the compose file. */
const natsMinimum = [2, 12, 0] as const

const natsVersion = (text: string) => /(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? [0, 0, 0]

function natsIsCurrent(version: string): boolean {
  const found = natsVersion(version)
  return (natsMinimum.map((part, index) => (found[index] ?? 0) - part).find((part) => part !== 0) ?? 0) >= 0
}

/** Throws `ServerProblem` if this nats-server is older than the oldest tested one. */
export function checkNatsVersion(version: string, where: string): void {
  if (!natsIsCurrent(version))
    throw new ServerProblem(
      `${where} has version ${natsVersion(version).join('.')} and at least ${natsMinimum.join('.')} is needed: update it or use infra/local/compose.yaml.`,
    )
}

const versions = new Map<string, string>()

/** Returns the version text that a binary prints; it is asked once in a process. */
export function binaryVersion(binary: Binary): string {
  const known = versions.get(binary.path)
  if (known !== undefined) return known
  const printed = execFileSync(binary.path, ['--version'], {
    encoding: 'utf8',
    env: { ...systemEnvironment(), ...binary.env },
  }).trim()
  versions.set(binary.path, printed)
  return printed
}
