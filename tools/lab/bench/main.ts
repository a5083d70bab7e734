import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { board } from './board.ts'
import { flat } from './flat.ts'
import { hop } from './hop.ts'
import { indexer } from './indexer.ts'
import { ledger } from './ledger.ts'
import { mandates } from './mandates.ts'
import { platform } from './platform.ts'
import { printed } from './report.ts'
import { research } from './research.ts'
import type { Benchmark, Outcome } from './result.ts'
import { startup } from './startup.ts'
import { storage } from './storage.ts'
import { targets } from './targets.ts'

const benchmarks: Readonly<Record<string, Benchmark>> = {
  hop,
  ledger,
  platform,
  board,
  targets,
  storage,
  research,
  mandates,
  indexer,
  flat,
  startup,
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const { only, short } = values

async function run(): Promise<void> {
  if (only !== undefined && benchmarks[only] === undefined)
    throw new Error(`there is no benchmark ${only}: choose one of ${Object.keys(benchmarks).join(', ')}.`)
  const outcomes: Outcome[] = []
  for (const [name, benchmark] of Object.entries(benchmarks)) {
    if (only !== undefined && name !== only) continue
    const dataDir = mkdtempSync(join(tmpdir(), `svc-bench-${name}-`))
    try {
      outcomes.push(await benchmark({ short, dataDir, note: (line) => process.stderr.write(`${line}\n`) }))
    } catch (error) {
      process.exitCode = 1
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
      process.stderr.write(`${name} could not be measured: ${reason}\n`)
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
  const text = printed(outcomes, short)
  process.stdout.write(`\n${text}`)
  if (only === undefined) writeFileSync(new URL('../../../docs/benchmarks.md', import.meta.url), text)
}

if (values.help) process.stdout.write(readFileSync(new URL('help.txt', import.meta.url), 'utf8'))
else await run()
process.exit()
