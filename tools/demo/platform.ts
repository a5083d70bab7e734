import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort, readPassword, ServerProblem } from '@svc/servers'
import { houseOf, type House } from '../dev/platform.ts'

/** A platform that answers, with the people it knows. */
export interface Platform {
  readonly url: string
  readonly house: House
  /** Ends it when it was started for this; leaves a running one alone. */
  stop(): Promise<void>
}

const command = fileURLToPath(new URL('../dev/main.ts', import.meta.url))

/** The running platform of a data folder, else one that is started on a free port. */
export async function findOrStartPlatform(data: string): Promise<Platform> {
  const dataDir = resolve(data)
  const url = await runningUrl(dataDir)
  if (url !== null) return { url, house: houseIn(dataDir), stop: async () => {} }
  return start(dataDir)
}

function houseIn(dataDir: string): House {
  return houseOf({
    password: (name) => {
      const password = readPassword(dataDir, name)
      if (password === null)
        throw new ServerProblem(
          `${dataDir} has no secrets of a platform: give the folder that npm start uses with --data.`,
        )
      return password
    },
  })
}

/** Address that the platform of the folder wrote down, when it still answers there. */
async function runningUrl(dataDir: string): Promise<string | null> {
  try {
    const { url } = JSON.parse(readFileSync(join(dataDir, 'platform.json'), 'utf8')) as { url: string }
    const health = await fetch(new URL('/health', url), { signal: AbortSignal.timeout(2_000) })
    return health.ok ? url : null
  } catch {
    return null
  }
}

async function start(dataDir: string): Promise<Platform> {
  const port = await freePort()
  console.log('No platform is running: starting one for the demo.')
  const child = spawn(process.execPath, [command, '--port', String(port), '--data', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, SVC_LAUNCHER_PID: String(process.pid) },
  })
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const url = await new Promise<string>((found, failed) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = /^ready (\S+)$/.exec(line)?.[1]
      if (ready !== undefined) found(ready)
    })
    void ended.then(() => failed(new ServerProblem('The platform did not start: see the message above.')))
  })
  return {
    url,
    house: houseIn(dataDir),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
