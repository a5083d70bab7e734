import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { seenOf, type Connect, type Result } from './client.ts'

const run = promisify(execFile)
const here = join(import.meta.dirname, 'python')
const cache = join(import.meta.dirname, '../../../../node_modules/.cache')

/** Returns true if a command succeeds. */
const succeeds = (file: string, words: readonly string[]) =>
  run(file, words).then(
    () => true,
    () => false,
  )

/** An environment of Python, or what this machine lacks to make it. */
interface Installed {
  readonly python: string
  readonly lack: string | null
}

/**
 * Installs the packages that a file pins, once, into an environment of their own. What a registry does not give today says nothing
 * about the product, so its clients are skipped by name.
 */
async function install(requirements: string): Promise<Installed> {
  const file = join(here, requirements)
  const folder = join(cache, `python-clients-${hash('sha256', readFileSync(file)).slice(0, 16)}`)
  const python = join(folder, 'bin/python')
  if (existsSync(python)) return { python, lack: null }
  if (!(await succeeds('python3', ['-c', 'import sys, venv, ensurepip; assert sys.version_info >= (3, 11)'])))
    return { python, lack: 'needs Python 3.11 with venv' }
  const fresh = `${folder}.${process.pid}`
  const pip = (...words: string[]) => [join(fresh, 'bin/pip'), words] as const
  try {
    await run('python3', ['-m', 'venv', fresh])
    if (!(await succeeds(...pip('install', '--quiet', '--no-deps', '--retries=0', 'typing-extensions==4.16.0'))))
      return { python, lack: 'needs a registry of Python packages' }
    if (!(await succeeds(...pip('install', '--quiet', '--no-deps', '--only-binary=:all:', '--requirement', file))))
      return { python, lack: `needs a registry with each package of ${requirements}` }
    await rename(fresh, folder).catch((error: unknown) => {
      // Another run has installed the same meanwhile.
      if (!existsSync(python)) throw error
    })
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return { python, lack: null }
}

/** A line that the driver of the clients prints. */
interface Line {
  readonly names?: string[]
  readonly result?: Result
  readonly error?: string
}

const driven =
  (python: string, client: string): Connect =>
  async (url, headers) => {
    const child = spawn(python, [join(here, 'clients.py'), client, url.href, JSON.stringify(headers)])
    const ended = once(child, 'close')
    // A call to a client that has ended fails when its answer is read.
    child.stdin.on('error', () => {})
    const said = text(child.stderr)
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const read = async (): Promise<Line> => {
      const line = await lines.next()
      if (line.done === true) throw new Error(`${client} has ended: ${await said}`)
      return JSON.parse(line.value) as Line
    }
    const { names = [] } = await read()
    return {
      names: async () => names,
      call: async (name, given) => {
        child.stdin.write(`${JSON.stringify({ name, given })}\n`)
        const { result, error } = await read()
        if (result === undefined) throw new Error(error)
        return seenOf(result)
      },
      close: async () => {
        child.stdin.end()
        await ended
      },
    }
  }

const FIRST = await install('first-sdk.txt')
const SECOND = await install('second-sdk.txt')
const client = (name: string, { python, lack }: Installed, driver: string) => ({
  name,
  connect: driven(python, driver),
  lack,
})

/** Clients of Python by their name and version. `lack` says what this machine lacks to run one; null if nothing. */
export const PYTHON_CLIENTS = [
  client('mcp 1.30.0 (Python)', FIRST, 'first-sdk'),
  client('mcp 2.3.0 (Python), revision 2026-07-28', SECOND, 'second-sdk'),
  client('mcp 2.3.0 (Python), earlier revisions', SECOND, 'second-sdk-earlier'),
  client('pydantic-ai-slim 2.68.0 (Python)', SECOND, 'pydantic-ai'),
]
