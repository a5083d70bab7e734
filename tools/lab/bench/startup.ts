import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort } from '@svc/servers'
import { residentMb, usageSupported } from './process-usage.ts'
import type { Benchmark } from './result.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const readyMs = 120_000

/** `npm start` with an empty data folder: time until it says ready, and memory of the process that holds all services. */
export const startup: Benchmark = async ({ dataDir, note }) => {
  note('startup: npm start with an empty data folder')
  const port = await freePort()
  const begun = performance.now()
  const child = spawn(
    process.execPath,
    ['tools/with-node24.mjs', 'tools/dev/main.ts', '--port', String(port), '--data', dataDir],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  try {
    let output = ''
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`not ready after ${readyMs / 1000} s: ${output.slice(-500)}`)),
        readyMs,
      )
      const listen = (chunk: Buffer) => {
        output += chunk.toString('utf8')
        if (!/^ready http/m.test(output)) return
        clearTimeout(timer)
        resolve()
      }
      child.stdout.on('data', listen)
      child.stderr.on('data', listen)
      child.once('exit', () => reject(new Error(`npm start ended: ${output.slice(-500)}`)))
    })
    const seconds = (performance.now() - begun) / 1000
    for (let count = 0; count < 50; count++) await (await fetch(`http://127.0.0.1:${port}/openapi.json`)).arrayBuffer()
    const launcher = child.pid ?? 0
    const services = usageSupported
      ? Number(readFileSync(`/proc/${launcher}/task/${launcher}/children`, 'utf8').split(' ')[0])
      : 0
    const mb = residentMb([services])
    return {
      figures: [
        {
          what: 'Cold `npm start` after install, to ready',
          goal: '≤ 15 s',
          measured: `${seconds.toFixed(1)} s`,
          met: seconds <= 15,
          holdsBack: 'Creating the Postgres cluster, then loading the services’ modules.',
        },
        {
          what: 'All services in one process, resident memory',
          goal: '≤ 900 MB',
          measured: usageSupported ? `${mb.toFixed(0)} MB` : 'not supported here',
          met: usageSupported ? mb <= 900 : null,
          holdsBack: 'Modules and compiled schemas; the markets of five exchanges in ccxt, and the board.',
        },
      ],
    }
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}
