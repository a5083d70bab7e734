import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import packed, { inflate } from '@sparticuz/chromium'
import { chromium, type BrowserServer } from 'playwright-core'

const root = dirname(dirname(import.meta.dirname))
const PACKAGE = join(root, 'node_modules/@sparticuz/chromium')
/** Names a Chromium of the system instead of the one of the package. */
const CHROMIUM = 'WEB_CHROMIUM'
/**
 * The arguments of the package itself are not for tests: they turn off the rules of the web that pages rely on. A container
 * gives no namespaces, so the sandbox of the browser is off; pages of these tests are our own.
 */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--headless=shell',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
]

/** A Chromium and what it needs around it. */
interface Installed {
  readonly executablePath: string
  readonly env: Readonly<Record<string, string>>
}

/** Returns the unpacked Chromium of the package, unpacking it once; processes that begin together do not disturb one another. */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }
  const folder = join(root, `node_modules/.cache/chromium-${version}`)
  if (existsSync(join(folder, 'chromium'))) return folder
  const fresh = `${folder}.${process.pid}`
  await mkdir(fresh, { recursive: true })
  // The package unpacks into the folder for temporary files.
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = fresh
  try {
    await packed.executablePath()
    await inflate(join(PACKAGE, 'bin/al2023.tar.br'))
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  }
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }))
  return folder
}

/** Returns true if a program misses a library on this machine. */
function missesLibraries(program: string): boolean {
  try {
    return execFileSync('ldd', [program], { encoding: 'utf8' }).includes('not found')
  } catch {
    // Without `ldd` nothing is known; the libraries of the package do no harm.
    return true
  }
}

/** Returns the Chromium to use, with the libraries and fonts of the package where the machine has none. */
async function installed(): Promise<Installed> {
  const given = process.env[CHROMIUM]
  if (given !== undefined && given !== '') return { executablePath: given, env: {} }
  const folder = await unpacked()
  const executablePath = join(folder, 'chromium')
  return {
    executablePath,
    env: {
      ...(missesLibraries(executablePath) ? { LD_LIBRARY_PATH: join(folder, 'al2023/lib') } : {}),
      ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(folder, 'fonts') }),
    },
  }
}

/** Starts a Chromium that processes of this machine can use. Says what to do if there is none. */
export async function startChromium(): Promise<BrowserServer> {
  const { executablePath, env } = await installed()
  try {
    return await chromium.launchServer({
      executablePath,
      args: ARGS,
      host: '127.0.0.1',
      env: { ...process.env, ...env },
    })
  } catch (error) {
    throw new Error(
      `Chromium could not be started from ${executablePath}: install the system libraries that it names, or give another one with ${CHROMIUM}.`,
      { cause: error },
    )
  }
}
