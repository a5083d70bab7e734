import type { JsonWebKey } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { download } from './download.ts'
import { BalanceProblem, verifyBalance } from './verify.ts'

const HELP = `Usage: node tools/verify-balance/main.ts DIR [--from URL]

Checks that a Cherry balance follows from the history of its account and is under the newest root that was published. Reads
proof.json, history.json, roots.json and jwks.json of DIR and asks nobody. Ends with code 1 and names what was changed, with 2
when it could not check.

  --from URL   first downloads these four files into DIR, with the key of the account in SVC_USER_KEY
  --help       this text
`

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { from: { type: 'string' }, help: { type: 'boolean', default: false } },
  })
  const [folder] = positionals
  if (values.help || folder === undefined) {
    process.stdout.write(HELP)
    return values.help ? 0 : 2
  }
  if (values.from !== undefined) {
    const key = process.env['SVC_USER_KEY']
    if (key === undefined) throw new Error('set SVC_USER_KEY to the key of the account')
    await mkdir(folder, { recursive: true })
    for (const [name, content] of Object.entries(await download(values.from, key)))
      await writeFile(join(folder, `${name}.json`), JSON.stringify(content))
  }
  const [proof, history, roots, jwks] = await Promise.all(
    ['proof', 'history', 'roots', 'jwks'].map(
      async (name) => JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')) as unknown,
    ),
  )
  const { keys } = jwks as { keys?: readonly JsonWebKey[] }
  if (!Array.isArray(keys)) throw new Error('jwks.json holds no keys: save the answer of /.well-known/jwks.json there')
  if (!Array.isArray(history)) throw new Error('history.json is not a list of pages of the history')
  const { accountId, day, balance, entries, accounts } = verifyBalance({ proof, history, roots, keys })
  console.log(
    `account ${accountId} had ${balance} Cherry from ${entries} entries, under the root of ${day} over ${accounts} accounts`,
  )
  return 0
}

try {
  process.exitCode = await main()
} catch (error) {
  const problem = error instanceof BalanceProblem
  console.log(`${problem ? 'does not hold' : 'could not be checked'}: ${(error as Error).message}`)
  process.exitCode = problem ? 1 : 2
}
