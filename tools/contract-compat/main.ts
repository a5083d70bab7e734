import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contracts } from '@svc/contracts/all'
import { compareContracts } from './compare.ts'
import { readSnapshot, snapshotOf, writeSnapshot } from './snapshot.ts'

const HELP = `node tools/with-node24.mjs tools/contract-compat/main.ts [--release]

Compares the contracts with those of the last release, docs/api/released-contracts.json: both run side by side during an
update. Members, operations, events and answers may be added; none may be removed, renamed or narrowed.

  --release  stores the contracts as those of the release; run it when a release is tagged
  --help     this text
`
const FILE = join(import.meta.dirname, '../../docs/api/released-contracts.json')

const [word, ...rest] = process.argv.slice(2)
if (word === '--help' || rest.length > 0 || (word !== undefined && word !== '--release')) process.stdout.write(HELP)
else if (word === '--release') writeFileSync(FILE, writeSnapshot(snapshotOf(contracts)))
else {
  const today = new Date().toISOString().slice(0, 10)
  const breaks = compareContracts(readSnapshot(readFileSync(FILE, 'utf8')), snapshotOf(contracts), today)
  for (const { of, path, problem } of breaks) console.log(`${of}: ${path}: ${problem}`)
  if (breaks.length > 0) {
    console.log('Keep the old name beside the new one for a release, or make the new member optional.')
    process.exitCode = 1
  }
}
