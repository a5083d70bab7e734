import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@svc/servers'
import { usageOfMinutes } from './between-passes.ts'
import { nodeProcesses, ownCpuSeconds, residentMb, usageSupported } from './process-usage.ts'
import type { Benchmark, Figure } from './result.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const readyMs = 120_000
/** After this time the candles of all pairs have been read once. */
const SETTLE_MS = 240_000
/** The passes of a minute end within these seconds. */
const PASS_SECONDS = 20

/** `npm start` with an empty data folder: time until it says ready, and memory of the process that holds all services. */
export const startup: Benchmark = async ({ dataDir, short, note }) => {
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
    const alone = usageSupported && !short ? [await leftAlone(services, note)] : []
    return {
      figures: [
        ...alone,
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

/** The CPU and memory of a platform that nobody uses: services, venues and chain watchers, without the servers that it started. */
async function leftAlone(services: number, note: (text: string) => void): Promise<Figure> {
  note('startup: the platform is left alone for seven minutes')
  await delay(SETTLE_MS)
  const pids = nodeProcesses(services)
  const { between, windows, total } = await usageOfMinutes(3, PASS_SECONDS, () => ownCpuSeconds(pids))
  const mb = residentMb(pids)
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  return {
    what: `\`npm start\` left alone, its ${pids.length} processes of Node together: share of a core between the passes of a minute; resident memory`,
    goal: '≤ 5 %; ≤ 450 MB',
    measured: `${percent(between)} (median of ${windows} windows of 5 s; ${percent(total)} with all passes); ${mb.toFixed(0)} MB`,
    met: between <= 0.05 && mb <= 450,
    holdsBack: 'Heartbeats, outboxes and blocks of thirteen services; modules and compiled schemas.',
  }
}
