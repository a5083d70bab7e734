import { CLAUSE_EDITION, clausesOf, termsWithClauses, type MandateTerms } from '@svc/chain'
import type { ClauseEdition } from '@svc/chain/terms'
import { expect, test } from 'vitest'
import { checkTerms, TermsProblem, type ShownClause } from './check-terms.ts'

const address = (digit: string) => `0x${digit.repeat(40)}` as const
const mandateId = `mdt_${'5'.repeat(32)}`
const figures: MandateTerms = {
  mandateId,
  owner: address('1'),
  agent: address('2'),
  feeRecipient: address('2'),
  usdc: address('3'),
  legGateway: address('5'),
  budget: 500_000_000n,
  perTxCap: 50_000_000n,
  dailyCap: 150_000_000n,
  approvalAbove: 40_000_000n,
  stopLine: 0n,
  legBudget: 100_000_000n,
  endsAt: 1_798_675_200n,
  feeBps: 1_000n,
  markets: [{ id: 'hl:BTC', title: 'BTC perpetual', calls: [] }],
}
const plain = { ...figures, legGateway: address('0'), legBudget: 0n, markets: [] }

/** Terms in the wording of one edition that are said to be of another, with the clauses that the page shows. */
function served(wording: ClauseEdition, said: number, terms: MandateTerms = figures) {
  const domain = { chainId: 31_337, factory: address('9') }
  const { typedData, clauses, digest } = termsWithClauses(terms, clausesOf(terms, wording), domain)
  const answer = { typed_data: JSON.parse(JSON.stringify(typedData)), signed: true, clauses_edition: said }
  return { answer, digest, shown: clauses.map(({ number, text }): ShownClause => ({ n: number, text })) }
}
const check = ({ answer, digest, shown }: ReturnType<typeof served>, edition = answer.clauses_edition) =>
  checkTerms(mandateId, { seq: 3, termsHash: digest.toUpperCase().replace('0X', '0x'), edition }, answer, shown)
const faultOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    if (error instanceof TermsProblem) return [error.fault, error.place.at]
    throw error
  }
  return expect.fail('the terms hold')
}

test('terms hold in the wording of the edition that was signed, and without a leg in the wording of each', () => {
  for (const edition of [1, CLAUSE_EDITION] as const)
    expect(check(served(edition, edition))).toEqual({ is: 'good', edition })
  for (const edition of [1, CLAUSE_EDITION] as const)
    expect(check(served(1, edition, plain))).toEqual({ is: 'good', edition })
})

test('terms in the wording of another edition than was signed are told with their clause', () => {
  expect(faultOf(() => check(served(1, 2)))).toEqual(['clause_worded', 2])
  expect(faultOf(() => check(served(2, 1)))).toEqual(['clause_worded', 2])
  expect(faultOf(() => check(served(2, 2), 1))).toEqual(['edition_other', 3])
  expect(faultOf(() => check(served(1, 2), 1))).toEqual(['edition_other', 3])
})

test('other figures, another mandate, and a clause that the page shows otherwise or not at all are told', () => {
  const good = served(2, 2)
  expect(faultOf(() => check({ ...good, digest: served(2, 2, { ...figures, budget: 1n }).digest }))).toEqual([
    'terms_other',
    3,
  ])
  const foreign = served(2, 2, { ...figures, mandateId: `mdt_${'6'.repeat(32)}` })
  expect(faultOf(() => check(foreign))).toEqual(['terms_mandate', undefined])
  expect(faultOf(() => check({ ...good, answer: { ...good.answer, typed_data: {} } }))).toEqual([
    'terms_mandate',
    undefined,
  ])
  const bare = { message: { mandateId } }
  expect(faultOf(() => check({ ...good, answer: { ...good.answer, typed_data: bare } }))).toEqual(['terms_other', 3])
  const changed = good.shown.map((one) => (one.n === 4 ? { ...one, text: `${one.text} And more.` } : one))
  expect(faultOf(() => check({ ...good, shown: changed }))).toEqual(['clause_other', 4])
  expect(faultOf(() => check({ ...good, shown: good.shown.slice(0, -1) }))).toEqual(['clause_other', 8])
  expect(faultOf(() => check({ ...good, shown: [...good.shown, { n: 9, text: 'More.' }] }))).toEqual([
    'clause_other',
    9,
  ])
})

test('nothing is said of terms that nobody signed, that must be signed again, or in an edition that this page does not know', () => {
  const { answer, shown } = served(2, 2)
  expect(checkTerms(mandateId, undefined, answer, shown)).toEqual({ is: 'none' })
  expect(check({ ...served(2, 2), answer: { ...answer, signed: false } })).toEqual({ is: 'again' })
  expect(check(served(2, 3))).toEqual({ is: 'later' })
})
