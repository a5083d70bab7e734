import { hashTypedData } from 'viem'
import { z } from 'zod'
import { RecordProblem, type SignedTerms } from './verify.ts'

const texts = z.array(z.looseObject({ number: z.number(), text: z.string() }))
const answerShape = z.looseObject({
  public_id: z.string(),
  typed_data: z.looseObject({
    domain: z.record(z.string(), z.unknown()),
    types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
    primaryType: z.literal('MandateTerms'),
    message: z.looseObject({ mandateId: z.string(), clauses: texts }),
  }),
  clauses: z.array(z.looseObject({ n: z.number(), text: z.string() })),
  clauses_edition: z.number(),
})

/** How clause 2 counts an order at the leg in an edition, and words that no clause of that edition has. */
const WORDING: Readonly<Record<number, { readonly says: string; readonly never: RegExp }>> = {
  1: { says: 'its size at the worst price that it accepts.', never: /reference price/ },
  2: { says: 'its size at its reference price.', never: /at the worst price that (it accepts|they accept)/ },
}

/**
 * Verifies the terms that GET /hub/mandates/{public_id}/terms answered against the newest signature of a record: their digest,
 * the clauses that are shown, and the edition of the wording. Throws `RecordProblem` for the first difference.
 */
export function verifyTerms(mandate: string, signed: SignedTerms | undefined, file: string): void {
  const read = answerShape.safeParse(JSON.parse(file))
  if (!read.success) throw new Error('the terms are no answer of GET /hub/mandates/{public_id}/terms')
  const { public_id, typed_data, clauses, clauses_edition } = read.data
  if (public_id !== mandate || typed_data.message.mandateId !== mandate)
    throw new RecordProblem('the terms are of another mandate')
  if (signed === undefined) throw new RecordProblem('the record has no signature of terms')
  if (hashTypedData(typed_data as never).toLowerCase() !== signed.termsHash.toLowerCase())
    throw new RecordProblem(`the terms are others than those that entry ${signed.seq} signed`)
  const shown = typed_data.message.clauses
  for (const [at, { number, text }] of shown.entries())
    if (clauses[at]?.n !== number || clauses[at].text !== text)
      throw new RecordProblem(`clause ${number} is shown with another text than was signed`)
  if (clauses_edition !== signed.edition)
    throw new RecordProblem(
      `the terms are said to be of edition ${clauses_edition}, entry ${signed.seq} signed edition ${signed.edition}`,
    )
  mustBeOfEdition(shown, signed.edition)
}

/** Throws unless the wording is that of an edition. Terms without a leg read alike in all editions. */
function mustBeOfEdition(clauses: z.output<typeof texts>, edition: number): void {
  const wording = WORDING[edition]
  if (wording === undefined) throw new Error(`edition ${edition} of the clauses is unknown to this verifier`)
  const second = clauses.find(({ number }) => number === 2)?.text ?? ''
  const lacks = second.includes('order at the leg') && !second.includes(wording.says)
  const wrong = lacks ? 2 : clauses.find(({ text }) => wording.never.test(text))?.number
  if (wrong !== undefined) throw new RecordProblem(`clause ${wrong} is not worded as in edition ${edition}`)
}
