import type { SignedTerms } from '@svc/sdk/record'
import { hashTypedData } from 'viem/utils'
import type { Answer } from '../../lib/routes-of-api.ts'

/** What differs between the terms and what the record says was signed. The words for each code stand in the texts of the page. */
export type TermsFault = 'terms_mandate' | 'terms_other' | 'clause_other' | 'edition_other' | 'clause_worded'

/** Terms that are not those that the record says were signed; `at` is the number of the entry, or of the clause. */
export class TermsProblem extends Error {
  override readonly name = 'TermsProblem'
  readonly fault: TermsFault
  readonly place: { readonly at?: number }

  constructor(fault: TermsFault, at?: number) {
    super(`${fault} ${at ?? ''}`)
    this.fault = fault
    this.place = at === undefined ? {} : { at }
  }
}

/** A clause as the page shows it. */
export interface ShownClause {
  readonly n: number
  readonly text: string
}

/**
 * What became of the check. `none`: nothing was signed yet. `again`: the service says that other terms must be signed, so none of
 * those that were signed are shown. `later`: they were signed in an edition that this page does not know.
 */
export type CheckedTerms =
  | { readonly is: 'none' | 'again' | 'later' }
  | { readonly is: 'good'; readonly edition: number }

/** How clause 2 counts an order at the leg in an edition, and words that no clause of that edition has. */
const WORDING: Readonly<Record<number, { readonly says: string; readonly never: RegExp }>> = {
  1: { says: 'its size at the worst price that it accepts.', never: /reference price/ },
  2: { says: 'its size at its reference price.', never: /at the worst price that (it accepts|they accept)/ },
}

/**
 * Compares the terms that the service answers with the newest signature of a record that was verified: their digest, the clauses
 * that the page shows, and the edition of their wording. Throws `TermsProblem` for the first difference.
 */
export function checkTerms(
  publicId: string,
  signed: SignedTerms | undefined,
  answer: Pick<Answer<'GET /hub/mandates/{public_id}/terms'>, 'typed_data' | 'signed' | 'clauses_edition'>,
  shown: readonly ShownClause[],
): CheckedTerms {
  if (signed === undefined) return { is: 'none' }
  if (!answer.signed) return { is: 'again' }
  const { seq, termsHash, edition } = signed
  const { message } = answer.typed_data as {
    readonly message?: { readonly mandateId?: unknown; readonly clauses?: unknown }
  }
  if (message?.mandateId !== publicId) throw new TermsProblem('terms_mandate')
  if (digestOf(answer.typed_data) !== termsHash.toLowerCase()) throw new TermsProblem('terms_other', seq)
  // The digest has shown their form.
  const clauses = message.clauses as readonly { readonly number: number; readonly text: string }[]
  const other = clauses.find(({ number, text }, at) => shown[at]?.n !== Number(number) || shown[at].text !== text)
  if (other !== undefined || shown.length !== clauses.length)
    throw new TermsProblem('clause_other', Number(other?.number ?? clauses.length + 1))
  if (answer.clauses_edition !== edition) throw new TermsProblem('edition_other', seq)
  const wording = WORDING[edition]
  if (wording === undefined) return { is: 'later' }
  const second = clauses.find(({ number }) => Number(number) === 2)?.text ?? ''
  // Terms without a leg read alike in all editions.
  if (second.includes('order at the leg') && !second.includes(wording.says)) throw new TermsProblem('clause_worded', 2)
  const worded = clauses.find(({ text }) => wording.never.test(text))
  if (worded !== undefined) throw new TermsProblem('clause_worded', Number(worded.number))
  return { is: 'good', edition }
}

/** Returns the digest of typed data; null for data that have none. */
function digestOf(typedData: unknown): string | null {
  try {
    return hashTypedData(typedData as Parameters<typeof hashTypedData>[0]).toLowerCase()
  } catch {
    return null
  }
}
