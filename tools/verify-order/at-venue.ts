import { z } from 'zod'
import { ReceiptProblem, type Receipt } from './verify.ts'

const text = z.string()
const publicFill = z.looseObject({
  coin: text,
  px: text,
  sz: text,
  side: z.enum(['A', 'B']),
  time: z.int(),
  oid: z.int(),
  tid: z.int(),
  fee: text,
  cloid: text.nullish(),
})
type PublicFill = z.output<typeof publicFill>

/** The span around an order in which the venue is asked for executions. */
const AROUND_MS = 300_000
/** Most executions in one answer; the newest are left out. */
const ROWS_MAX = 2_000

/**
 * Compares a receipt with the executions that the venue lists for everybody: the same ones, no more and no fewer. Returns
 * their number. Throws `ReceiptProblem`, or an error if the venue does not answer.
 */
export async function compareWithVenue(receipt: Receipt, infoUrl: string): Promise<number> {
  const { account: user, nonce, expires_after, cloid, oid } = receipt
  const asked = { type: 'userFillsByTime', user, startTime: nonce - AROUND_MS, endTime: expires_after + AROUND_MS }
  const listed = z.array(publicFill).parse(await ask(infoUrl, asked))
  if (listed.length >= ROWS_MAX) throw new Error('the account has more executions than one answer holds')
  const ofOrder = listed.filter((fill) => fill.cloid === cloid || (oid !== null && fill.oid === oid))
  const left = new Map(ofOrder.map((fill) => [fill.tid, fill]))
  for (const fill of receipt.fills) {
    const found = left.get(fill.tid)
    if (found === undefined) throw new ReceiptProblem(`the venue lists no execution ${fill.tid} of this order`)
    requireEqual(receipt, fill, found)
    left.delete(fill.tid)
  }
  const [more] = left.keys()
  if (more !== undefined) throw new ReceiptProblem(`the venue lists execution ${more}, which the receipt leaves out`)
  return ofOrder.length
}

function requireEqual({ coin, side, oid }: Receipt, said: Receipt['fills'][number], found: PublicFill): void {
  const members = [
    ['price', said.px, found.px],
    ['size', said.sz, found.sz],
    ['fee', said.fee, found.fee],
    ['time', said.time, found.time],
    ['market', coin, found.coin],
    ['side', side === 'buy' ? 'B' : 'A', found.side],
    ['order', oid, found.oid],
  ] as const
  for (const [what, ours, theirs] of members)
    if (ours !== theirs)
      throw new ReceiptProblem(
        `execution ${said.tid}: its ${what} is ${ours} in the receipt and ${theirs} at the venue`,
      )
}

async function ask(infoUrl: string, question: object): Promise<unknown> {
  const answer = await fetch(infoUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
    signal: AbortSignal.timeout(10_000),
  })
  if (!answer.ok) throw new Error(`${infoUrl} answered ${answer.status}`)
  return answer.json()
}
