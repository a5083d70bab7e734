import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ServerProblem } from '@svc/servers'
import { drill, type Drilled } from './drill.ts'

const HELP = `Usage: node tools/restore-drill/main.ts [--short] [--folder DIR]

Rehearses a disaster with real servers on this machine: loads a platform with accounts, Cherry, a mandate and its record, and
files; backs up Postgres and the files while people go on; destroys everything but the chain and the secrets; restores a named
moment with the steps of docs/operations.md; and compares the restored platform with a picture of the moment. Prints each
comparison, how much was lost (RPO) and how long it took (RTO). Ends with code 1 if anything differs.

  --short       leaves out the chain and the mandate with its record
  --folder DIR  keeps backup and platform there; it must be empty. Default: a folder that is removed at the end
  --help        this text
`

function print({ comparisons, lostAgents, notArchivedSec, rpoSec, rtoSec }: Drilled): void {
  for (const { what, differs } of comparisons)
    console.log(differs === null ? `same     ${what}` : `DIFFERS  ${what}: ${differs}`)
  console.log(`RPO ${rpoSec.toFixed(1)} s: between the moment and the end; ${lostAgents} registrations in it are lost`)
  console.log(`    ${notArchivedSec.toFixed(1)} s if the end of the archive had been restored instead`)
  console.log(`RTO ${rtoSec.toFixed(1)} s: between the end and the first answered write`)
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string' },
      short: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const folder = values.folder === undefined ? mkdtempSync(join(tmpdir(), 'svc-drill-')) : resolve(values.folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (readdirSync(folder).length > 0) throw new ServerProblem(`${folder} is not empty: name another folder.`)
  try {
    const drilled = await drill({ folder, short: values.short, say: (line) => console.log(line) })
    print(drilled)
    return drilled.comparisons.every(({ differs }) => differs === null) ? 0 : 1
  } finally {
    if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

process.exit(
  await main().catch((error: unknown) => {
    console.error(error instanceof ServerProblem ? error.message : error)
    return 1
  }),
)
