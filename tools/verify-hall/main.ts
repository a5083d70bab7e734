import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { chainOf, readDeployment } from '@svc/chain'
import { gallery } from '@svc/contracts/gallery'
import { verifyPage } from './compare.ts'
import { HallProblem } from './problem.ts'
import { openReads, type Reads } from './reads.ts'

const HELP = `Usage: node tools/verify-hall/main.ts FILE|URL... --rpc URL --deployment FILE [--refusals]

Recomputes what the Hall says of an agent from the chain alone: FILE or URL is the answer of GET /hub/hall/{agent_id}. Of each
mandate whose owner chose public_proof it reads the vault: worth by eth_call after each block that the page names, flows and trades
from its events, limits from its terms. The row is compared if all mandates are open. Ends with code 1 and names the first figure that
differs, with 2 when it could not check.

  --rpc URL          RPC of the chain, with the state of old blocks
  --deployment FILE  the contracts of the chain, as HUB_DEPLOYMENT_FILE has them
  --refusals         also reads every block since the vaults exist, for calls that they refused
  --help             this text
`

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rpc: { type: 'string' },
      deployment: { type: 'string' },
      refusals: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { rpc, deployment: path, refusals } = values
  if (values.help || positionals.length === 0 || rpc === undefined || path === undefined) {
    process.stdout.write(HELP)
    return values.help ? 0 : 2
  }
  const deployment = readDeployment(path)
  const reads = openReads(chainOf({ rpcUrl: rpc, id: deployment.chain_id }), deployment)
  let worst = 0
  for (const source of positionals) worst = Math.max(worst, await verify(source, reads, refusals))
  return worst
}

async function verify(source: string, reads: Reads, refusals: boolean): Promise<number> {
  try {
    const page = gallery.operations.readHallAgent.success[200].parse(JSON.parse(await textOf(source)))
    const { confirmed, unverifiable } = await verifyPage(page, reads, refusals)
    console.log(`${source}: agent ${page.agent_id} as of ${page.row_computed_at}`)
    for (const one of confirmed) console.log(`  confirmed ${one}`)
    for (const one of unverifiable) console.log(`  unverifiable: ${one}`)
    return 0
  } catch (error) {
    const isProblem = error instanceof HallProblem
    console.log(`${source}: ${isProblem ? 'does not hold' : 'could not be checked'}: ${(error as Error).message}`)
    return isProblem ? 1 : 2
  }
}

async function textOf(source: string): Promise<string> {
  if (!/^https?:/.test(source)) return readFile(source, 'utf8')
  const answer = await fetch(source)
  if (!answer.ok) throw new Error(`${source} answers ${answer.status}`)
  return answer.text()
}

try {
  process.exitCode = await main()
} catch (error) {
  console.log(`could not be checked: ${(error as Error).message}`)
  process.exitCode = 2
}
