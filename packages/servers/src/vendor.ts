import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ServerProblem } from './problem.ts'
import { systemEnvironment } from './system-environment.ts'

const run = promisify(execFile)
const timeoutMs = 1_800_000

/** Distribution release and architecture: libraries of one release do not fit another. */
function release(): string {
  const text = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  const field = (name: string) => new RegExp(`^${name}="?([\\w.-]+)`, 'm').exec(text)?.[1] ?? 'unknown'
  return `${field('ID')}-${field('VERSION_ID')}-${process.arch}`
}

/** Returns the folder of a fetched package, which may not exist yet. */
export function vendorFolder(cacheDir: string, packageName: string): string {
  return join(cacheDir, release(), packageName)
}

/** Keyring against which apt verifies packages of another Debian release. */
const DEBIAN_KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
const SOURCES_DIR = '/etc/apt'

/** Returns the Debian mirror of this system. Throws if it has none. */
function debianMirror(): string {
  const files = [join(SOURCES_DIR, 'sources.list')]
  const more = join(SOURCES_DIR, 'sources.list.d')
  if (existsSync(more)) files.push(...readdirSync(more).map((name) => join(more, name)))
  for (const file of files.filter((one) => existsSync(one))) {
    const url = /^[^#\n]*?(https?:\/\/\S+\/debian)\/?(?=\s|$)/m.exec(readFileSync(file, 'utf8'))?.[1]
    if (url !== undefined) return url
  }
  throw new Error('no Debian mirror is configured')
}

/**
 * Fetches a Debian or Ubuntu package with the libraries that this system lacks into `folder`, through an
 * apt state of its own: works without root and changes nothing outside of `folder`. With `suite`, only the package
 * itself comes from that release of Debian: for programs that need only the C library.
 */
export async function fetchPackage(packageName: string, folder: string, suite: string | null = null): Promise<void> {
  const parent = join(folder, '..')
  mkdirSync(parent, { recursive: true })
  const work = mkdtempSync(join(parent, `${packageName}-`))
  try {
    const environment = {
      ...systemEnvironment(),
      LC_ALL: 'C',
      DEBIAN_FRONTEND: 'noninteractive',
      APT_CONFIG: await aptConfig(work, suite),
    }
    const apt = (...args: string[]) =>
      run('apt-get', args, {
        cwd: join(work, 'cache/archives'),
        env: environment,
        timeout: timeoutMs,
        maxBuffer: 16 * 1024 * 1024,
      })
    // One unreachable source must not stop the others; the next step fails if the package was not found.
    await apt('-q', 'update').catch(() => {})
    await (suite === null
      ? apt('-q', 'install', '--download-only', '-y', packageName)
      : apt('-q', 'download', packageName))
    const archives = join(work, 'cache/archives')
    const debs = readdirSync(archives).filter((name) => name.endsWith('.deb'))
    if (debs.length === 0) throw new Error(`apt offers no ${packageName}`)
    for (const deb of debs) await run('dpkg-deb', ['-x', join(archives, deb), join(work, 'root')])
    try {
      renameSync(join(work, 'root'), folder)
    } catch (error) {
      // Another process finished first; its copy is used.
      if (!existsSync(folder)) throw error
    }
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
    const reason = /^E: (.*)$/m.exec(stderr)?.[1] ?? (error instanceof Error ? error.message.split('\n')[0] : 'unknown')
    throw new ServerProblem(
      `${packageName} is not on PATH and could not be fetched with apt (${reason}): install ${packageName}, or check the network and run the command again.`,
    )
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function aptConfig(work: string, suite: string | null): Promise<string> {
  for (const dir of ['state/lists/partial', 'cache/archives/partial', 'root'])
    mkdirSync(join(work, dir), { recursive: true })
  // Keeps the transport settings (proxies) of the system, but not its hooks, which act outside of the folder.
  const { stdout } = await run('apt-config', ['dump'])
  const transport = stdout.split('\n').filter((line) => line.startsWith('Acquire::'))
  const file = join(work, 'apt.conf')
  const sources = join(work, 'sources.list')
  if (suite !== null) writeFileSync(sources, `deb [signed-by=${DEBIAN_KEYRING}] ${debianMirror()} ${suite} main\n`)
  const own = {
    ...(suite === null ? {} : { 'Dir::Etc::sourcelist': sources, 'Dir::Etc::sourceparts': '/dev/null' }),
    'Dir::State': join(work, 'state'),
    'Dir::State::status': '/var/lib/dpkg/status',
    'Dir::Cache': join(work, 'cache'),
    'Dir::Etc::parts': '/dev/null',
    'Dir::Etc::main': '/dev/null',
    'Debug::NoLocking': '1',
    'APT::Install-Recommends': '0',
    'APT::Sandbox::User': 'root',
    'Acquire::http::Timeout': '20',
    'Acquire::https::Timeout': '20',
    'Acquire::Languages': 'none',
  }
  writeFileSync(file, [...transport, ...Object.entries(own).map(([key, value]) => `${key} "${value}";`), ''].join('\n'))
  return file
}
