import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readPassword, ServerProblem } from '@svc/servers'
import { recompute } from './recompute.ts'

const help = `Usage: node tools/recompute/main.ts [--data DIR | --url URL] [--snapshot ID | --all]

Computes a stored board again from its stored inputs and names every token that comes out differently.
Ends with code 1 when there is one.

  --data DIR     data folder of npm start (default .data)
  --url URL      Postgres connection that may read the schema market_data
  --snapshot ID  this board instead of the newest one
  --all          every board that is kept
`
const dataDirDefault = fileURLToPath(new URL('../../.data', import.meta.url))
const SHOWN_MAX = 20

/** Returns the address of the platform's database in a data folder. */
function urlOf(dataDir: string): string {
  const password = readPassword(dataDir, 'postgres')
  if (password === null) throw new ServerProblem(`${dataDir} is no data folder of npm start: give it with --data.`)
  const { postgres } = JSON.parse(readFileSync(join(dataDir, 'ports.json'), 'utf8')) as { postgres: number }
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${postgres}/platform`
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', default: dataDirDefault },
      url: { type: 'string' },
      snapshot: { type: 'string' },
      all: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  if (values.snapshot !== undefined && !/^\d{1,15}$/.test(values.snapshot))
    throw new ServerProblem('--snapshot takes the number of a board.')
  const which = values.all ? 'all' : values.snapshot === undefined ? 'newest' : Number(values.snapshot)
  const boards = await recompute(values.url ?? urlOf(resolve(values.data)), which)
  if (boards.length === 0) throw new ServerProblem('There is no such board.')
  for (const { id, computedAt, formulaVersion, tokens, differing } of boards) {
    process.stdout.write(
      `board ${id}  ${computedAt}  ${formulaVersion}  ${tokens} tokens  ${differing.length} differences\n`,
    )
    for (const tokenId of differing.slice(0, SHOWN_MAX)) process.stdout.write(`  ${tokenId}\n`)
  }
  return boards.some((board) => board.differing.length > 0) ? 1 : 0
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'It failed.'}\n`)
  return 2
})
