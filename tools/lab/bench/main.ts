import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { balanceProof } from './balance-proof.ts'
import { board } from './board.ts'
import { doors } from './doors.ts'
import { flat } from './flat.ts'
import { hop } from './hop.ts'
import { idle } from './idle.ts'
import { indexer } from './indexer.ts'
import { leg } from './leg.ts'
import { ledger } from './ledger.ts'
import { mandates } from './mandates.ts'
import { outbox } from './outbox.ts'
import { platformScale } from './platform-scale.ts'
import { platform } from './platform.ts'
import { publicSide } from './public.ts'
import { printed } from './report.ts'
import { research } from './research.ts'
import type { Benchmark, Outcome } from './result.ts'
import { scaleShared } from './scale-sustained.ts'
import { scale } from './scale.ts'
import { openStage, type Stage } from './stage.ts'
import { startup } from './startup.ts'
import { storage } from './storage.ts'
import { targets } from './targets.ts'
import { trade } from './trade.ts'

const benchmarks: Readonly<Record<string, Benchmark>> = {
  hop,
  ledger,
  outbox,
  'balance-proof': balanceProof,
  platform,
  'platform-scale': platformScale,
  board,
  targets,
  'market-scale': scale,
  'market-shared': scaleShared,
  idle,
  storage,
  research,
  mandates,
  indexer,
  leg,
  trade,
  public: publicSide,
  doors,
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

async function measured(names: readonly string[]): Promise<readonly Outcome[]> {
  await using parts = new AsyncDisposableStack()
  const folder = (name: string) => {
    const path = mkdtempSync(join(tmpdir(), `svc-bench-${name}-`))
    parts.defer(() => rmSync(path, { recursive: true, force: true }))
    return path
  }
  const note = (line: string) => process.stderr.write(`${line}\n`)
  let stage: Promise<Stage> | undefined
  const shared = () => (stage ??= openStage(folder('shared')).then((opened) => parts.use(opened)))
  const outcomes: Outcome[] = []
  for (const name of names) {
    const started = performance.now()
    try {
      const outcome = await benchmarks[name]?.({ short, dataDir: folder(name), shared, note })
      if (outcome !== undefined) outcomes.push(outcome)
      note(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
    } catch (error) {
      process.exitCode = 1
      note(`${name} could not be measured: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    }
  }
  return outcomes
}

async function run(): Promise<void> {
  const names = Object.keys(benchmarks)
  if (only !== undefined && !names.includes(only))
    throw new Error(`there is no benchmark ${only}: choose one of ${names.join(', ')}.`)
  const text = printed(await measured(only === undefined ? names : [only]), short)
  process.stdout.write(`\n${text}`)
  if (only === undefined) writeFileSync(new URL('../../../docs/benchmarks.md', import.meta.url), text)
}

if (values.help) process.stdout.write(readFileSync(new URL('help.txt', import.meta.url), 'utf8'))
else await run()
process.exit()
