import { readFile } from 'node:fs/promises'
import type { JsonWebKey } from 'node:crypto'
import { parseArgs } from 'node:util'
import { compareWithVenue } from './at-venue.ts'
import { ReceiptProblem, receiptText, verifyReceipt } from './verify.ts'

const HELP = `Usage: node tools/verify-order/main.ts FILE --jwks FILE [--info URL]

Checks the receipt of an order that a mandate placed at the perpetuals venue: the signature, the figures against one
another, and the executions against those that the venue lists for everybody. FILE holds the answer of hl-order, or its
member receipt. Ends with code 1 and names the first thing that does not hold, with 2 when it could not check.

  --jwks FILE  keys of /.well-known/jwks.json
  --info URL   info endpoint of the venue, such as https://api.hyperliquid.xyz/info; without it the venue is not asked
  --help       this text
`

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { jwks: { type: 'string' }, info: { type: 'string' }, help: { type: 'boolean', default: false } },
  })
  const [file] = positionals
  if (values.help || file === undefined || values.jwks === undefined) {
    process.stdout.write(HELP)
    return values.help ? 0 : 2
  }
  const { keys } = JSON.parse(await readFile(values.jwks, 'utf8')) as { keys?: readonly JsonWebKey[] }
  if (!Array.isArray(keys))
    throw new Error(`${values.jwks} holds no keys: save the answer of /.well-known/jwks.json there`)
  const receipt = verifyReceipt(receiptText(await readFile(file, 'utf8')), keys as readonly JsonWebKey[])
  const { mandate, side, filled_size, size, market, average_price, network } = receipt
  console.log(`${mandate}: ${side} ${filled_size} of ${size} ${market} at ${average_price ?? 'no price'}, signed`)
  console.log(`judged by the terms ${receipt.terms_hash ?? '(none)'} before it was sent`)
  if (values.info === undefined) console.log('the venue was not asked: give --info')
  else {
    const executions = await compareWithVenue(receipt, values.info)
    console.log(
      `${executions} executions are at the venue (${network}) as the receipt says, and no other of this order`,
    )
  }
  return 0
}

try {
  process.exitCode = await main()
} catch (error) {
  const problem = error instanceof ReceiptProblem
  console.log(`${problem ? 'does not hold' : 'could not be checked'}: ${(error as Error).message}`)
  process.exitCode = problem ? 1 : 2
}
