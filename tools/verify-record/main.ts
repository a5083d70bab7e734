import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { JsonWebKey } from 'node:crypto'
import { parseArgs } from 'node:util'
import { RecordProblem, verifyRecord } from './verify.ts'

const HELP = `Usage: node tools/verify-record/main.ts FILE... [--jwks FILE] [--later JWS] [--max-age H] [--terms FILE] [--rpc URL]

Computes a record again that was downloaded with GET /hub/mandates/{public_id}/record/export: every hash, the order,
the head and its signature. The files of a record that came in several are named in order. Needs no network. Ends with code 1 and names the first thing that does not hold, with 2
when it could not check.

  --jwks FILE  keys of /.well-known/jwks.json, to check the signature of the head; without it anybody may have written
               the record
  --later JWS  record_head.jws of GET /hub/mandates/{public_id}, or of an earlier download: a record that lost entries
               since then does not hold
  --max-age H  hours that the signature of the head may be old before a warning; default 24
  --terms FILE answer of GET /hub/mandates/{public_id}/terms: the terms must be those that the record says were signed, in
               the wording of the edition that it names
  --rpc URL    RPC of the chain: what the vault logged is compared with the record, both ways
  --help       this text
`

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      jwks: { type: 'string' },
      later: { type: 'string' },
      'max-age': { type: 'string', default: '24' },
      terms: { type: 'string' },
      rpc: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help || positionals.length === 0) {
    process.stdout.write(HELP)
    return values.help ? 0 : 2
  }
  const keys = values.jwks === undefined ? null : await keysOf(values.jwks)
  const record = verifyRecord(textsOf(positionals), keys, values.later ?? null)
  console.log(`${record.head.mandate}: ${record.entries.length} entries, each follows from the one before`)
  console.log(`signature of the head: ${record.signature}`)
  if (record.signedAt !== null) {
    const hours = (Date.now() - Date.parse(record.signedAt)) / 3_600_000
    const { chain } = record.head
    const place = chain === null ? 'no vault' : `vault ${chain.vault} of chain ${chain.chain_id}`
    console.log(`the head was signed for ${place}`)
    console.log(`the head was the newest one at ${record.signedAt}, ${hours.toFixed(1)} hours ago`)
    if (!(hours <= Number(values['max-age'])))
      console.log(
        'WARNING: what happened since then is not in this record; download it again, or compare it with --later',
      )
  }
  for (const { seq, edition } of record.terms) console.log(`entry ${seq} signed edition ${edition} of the clauses`)
  if (values.terms !== undefined) {
    // Only here, as below: the library that hashes terms takes long to load.
    const { verifyTerms } = await import('./terms.ts')
    verifyTerms(record.head.mandate, record.terms.at(-1), await readFile(values.terms, 'utf8'))
    console.log('the terms are those that were signed last, in the wording of that edition')
  }
  if (values.rpc !== undefined) {
    const { chain } = record.head
    if (chain === null) console.log('no vault: nothing to compare with the chain')
    else {
      // Only here: the library of the chain takes longer to load than a record to verify.
      const [{ chainOf }, { compareWithChain }] = await Promise.all([import('@svc/chain'), import('./on-chain.ts')])
      const compared = await compareWithChain(record, chainOf({ rpcUrl: values.rpc, id: chain.chain_id }))
      const { facts, refused, newer } = compared
      console.log(`${facts} facts of the vault are in the chain as the record says, and none is missing`)
      if (refused > 0) console.log(`${refused} calls that the vault refused are in the chain as well`)
      if (newer.length > 0) console.log(`newer than the record, so not in it: ${newer.join(', ')}`)
    }
  }
  return 0
}

/** Reads files one at a time: together they can exceed the memory. */
function* textsOf(paths: readonly string[]): Generator<string> {
  for (const path of paths) yield readFileSync(path, 'utf8')
}

async function keysOf(path: string): Promise<readonly JsonWebKey[]> {
  const { keys } = JSON.parse(await readFile(path, 'utf8')) as { keys?: readonly JsonWebKey[] }
  if (!Array.isArray(keys)) throw new Error(`${path} holds no keys: save the answer of /.well-known/jwks.json there`)
  return keys
}

try {
  process.exitCode = await main()
} catch (error) {
  const problem = error instanceof RecordProblem
  console.log(`${problem ? 'does not hold' : 'could not be checked'}: ${(error as Error).message}`)
  process.exitCode = problem ? 1 : 2
}
