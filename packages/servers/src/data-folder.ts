import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileProblem, ServerProblem } from './problem.ts'
import { processExists, processIsEnding, processStart } from './process-info.ts'

const freeBytesMin = 100 * 1024 * 1024

/** The local folder with all data of a set of servers, used by one process at a time. */
export interface DataFolder {
  readonly path: string
  file(...names: string[]): string
  /** Writes a file for this user only (0600); readers see the old or the new content, never part of it. */
  write(name: string, content: string): void
  /** Reads a JSON file; returns null if it does not exist. Throws `ServerProblem` if it is damaged. */
  readJson(name: string): unknown
  release(): void
}

interface Holder {
  readonly pid: number
  readonly start: string | null
}

/** Creates a folder and its parents; `mkdir` with `recursive` never returns below a folder like /proc, which allows none. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

/** Creates or opens the folder and locks it. Throws `ServerProblem` if it is in use or not writable, or the disk is full. */
export function openDataFolder(dir: string): DataFolder {
  const path = resolve(dir)
  const file = (...names: string[]) => join(path, ...names)
  const guarded = <T>(action: () => T, at = path): T => {
    try {
      return action()
    } catch (error) {
      throw fileProblem(error, at)
    }
  }
  const write = (name: string, content: string) =>
    guarded(() => {
      const temporary = file(`${name}.${process.pid}.new`)
      writeFileSync(temporary, content, { mode: 0o600 })
      renameSync(temporary, file(name))
    }, file(name))
  const readText = (name: string) => {
    try {
      return readFileSync(file(name), 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw fileProblem(error, file(name))
    }
  }

  guarded(() => {
    makeFolder(path)
    if (!statSync(path).isDirectory())
      throw new ServerProblem(`${path} is not a folder: choose another one with --data.`)
  })
  const { bavail, bsize } = guarded(() => statfsSync(path))
  if (bavail * bsize < freeBytesMin) {
    throw new ServerProblem(
      `The disk of ${path} is full (${Math.floor((bavail * bsize) / 1048576)} MB left, 100 MB needed): free some space or choose another folder with --data.`,
    )
  }

  const lock = file('lock')
  const me: Holder = { pid: process.pid, start: processStart(process.pid) }
  const claim = () => writeFileSync(lock, JSON.stringify(me), { flag: 'wx', mode: 0o600 })
  try {
    claim()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw fileProblem(error, path)
    const holder = parseHolder(readText('lock'))
    if (holder !== null && holds(holder)) {
      throw new ServerProblem(
        `The data folder ${path} is in use by process ${holder.pid}: stop that one first or choose another folder with --data.`,
      )
    }
    guarded(() => {
      rmSync(lock, { force: true })
      claim()
    })
  }
  guarded(() => chmodSync(path, 0o700))

  return {
    path,
    file,
    write,
    readJson: (name) => {
      const text = readText(name)
      if (text === null) return null
      try {
        return JSON.parse(text)
      } catch {
        throw new ServerProblem(
          `${file(name)} is damaged: restore it from a backup, or remove the data folder ${path} to start over.`,
        )
      }
    },
    release: () => rmSync(lock, { force: true }),
  }
}

/** Returns whether the process that claimed a lock still runs; one that was killed a moment ago does not. */
const holds = ({ pid, start }: Holder): boolean =>
  processExists(pid) && processStart(pid) === start && !processIsEnding(pid)

function parseHolder(text: string | null): Holder | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null && 'pid' in value && 'start' in value ? (value as Holder) : null
  } catch {
    return null
  }
}
