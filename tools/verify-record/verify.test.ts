import { CLAUSE_EDITION, clausesOf, termsWithClauses, type MandateTerms } from '@svc/chain'
import type { ClauseEdition } from '@svc/chain/terms'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { forgedJws } from '@svc/testing/forged-jws'
import {
  emptyRecord,
  forgedRecords,
  goodHead,
  goodRecord,
  recordKeys,
  recordOf,
  recordOfEditions,
  recordWithJws,
  soundRecords,
  textsOf,
  toldInRecord,
  type Told,
} from '@svc/testing/forged-records'
import { describe, expect, onTestFinished, test } from 'vitest'
import { verifyTerms } from './terms.ts'
import { RecordProblem, verifyRecord } from './verify.ts'

test.each(soundRecords.map((record) => [record.title, record] as const))(
  'a record as the service writes it verifies: %s',
  (_title, { files, entries, later = null }) => {
    expect(verifyRecord(textsOf(files), recordKeys, later)).toMatchObject({ signature: 'good' })
    expect(verifyRecord(textsOf(files), recordKeys, later).entries).toHaveLength(entries)
  },
)

test('without keys the signature is not checked', () => {
  expect(verifyRecord(textsOf([goodRecord]), null)).toMatchObject({ signature: 'not checked' })
  expect(verifyRecord(textsOf([emptyRecord]), null)).toMatchObject({ signature: 'absent', entries: [] })
})

describe('a forged record is refused for', () => {
  test.each(forgedRecords.map((record) => [record.title, record] as const))(
    '%s',
    (_title, { files, later = null, said }) => {
      const verify = () => verifyRecord(textsOf(files), recordKeys, later)
      expect(verify).toThrow(RecordProblem)
      expect(verify).toThrow(said)
    },
  )
})

test.each(forgedJws(goodHead))('a record whose head has a forged signature is refused: %s', (_title, jws) => {
  expect(() => verifyRecord(textsOf([recordWithJws(jws)]), recordKeys)).toThrow(RecordProblem)
})

test('a record that ends early names the way to the rest', () => {
  const [head = '', one = ''] = goodRecord
  expect(() => verifyRecord(textsOf([[head, one]]), recordKeys)).toThrow('a longer one is downloaded on with ?since=1')
})

test('an empty record cannot be checked by a key: nobody signed that there is nothing', () => {
  const found = (() => {
    try {
      return verifyRecord(textsOf([emptyRecord]), recordKeys)
    } catch (error) {
      return error
    }
  })()
  expect(found).not.toBeInstanceOf(RecordProblem)
  expect(found).toMatchObject({ message: expect.stringContaining('an empty record carries no signature') })
})

/** Runs the command line on a record whose head was signed at a time; returns what it prints. */
async function printed(things: readonly Told[], hoursAgo: number, ...flags: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'verify-record-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [file, keys] = [join(folder, 'record.jsonl'), join(folder, 'jwks.json')]
  const at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
  const lines = recordOf(things, { signed: { signed_at: at }, line: { exported_at: at } })
  await Promise.all([writeFile(file, lines.join('\n')), writeFile(keys, JSON.stringify({ keys: recordKeys }))])
  const tool = fileURLToPath(new URL('./main.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [tool, file, '--jwks', keys, ...flags])
  expect(stdout).toContain(`the head was the newest one at ${at}, ${hoursAgo}.0 hours ago`)
  return stdout
}

test('the command line prints when and for which chain a head was signed, and warns if that is longer ago than --max-age', async () => {
  const fresh = await printed(toldInRecord, 23)
  expect(fresh).toContain(`the head was signed for vault 0x${'11'.repeat(20)} of chain 31337`)
  expect(fresh).not.toContain('WARNING')
  expect(await printed(toldInRecord, 25)).toContain('WARNING: what happened since then is not in this record')
  expect(await printed(toldInRecord, 23, '--max-age', '22')).toContain('WARNING')
  expect(await printed(toldInRecord, 25, '--max-age', '26')).not.toContain('WARNING')
})

describe('the edition of the clauses', () => {
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
  const domain = { chainId: 31_337, factory: address('9') }
  /** Terms in the wording of one edition that are said to be of another. */
  const answered = (wording: ClauseEdition, said: number, terms = figures) => {
    const { typedData, clauses, digest } = termsWithClauses(terms, clausesOf(terms, wording), domain)
    const shown = clauses.map(({ number, text }) => ({ n: number, text }))
    return {
      public_id: terms.mandateId,
      terms_hash: digest,
      typed_data: typedData,
      clauses: shown,
      clauses_edition: said,
    }
  }
  const verify = (answer: ReturnType<typeof answered>, edition = answer.clauses_edition) =>
    verifyTerms(mandateId, { seq: 1, edition, termsHash: answer.terms_hash }, JSON.stringify(answer))

  test('is read from each signature, and is the first where none is named', () => {
    const { terms } = verifyRecord(textsOf([recordOfEditions(undefined, 1, 2, 2)]), recordKeys)
    expect(terms.map(({ edition }) => edition)).toEqual([1, 1, 2, 2])
  })

  test('is that of the wording that was signed', () => {
    for (const edition of [1, CLAUSE_EDITION] as const) verify(answered(edition, edition))
    const plain = { ...figures, legGateway: address('0'), legBudget: 0n, markets: [] }
    for (const edition of [1, CLAUSE_EDITION] as const) verify(answered(1, edition, plain))
    expect(() => verify(answered(1, 2))).toThrow('clause 2 is not worded as in edition 2')
    expect(() => verify(answered(2, 1))).toThrow('clause 2 is not worded as in edition 1')
    expect(() => verify(answered(2, 2), 1)).toThrow('said to be of edition 2, entry 1 signed edition 1')
    expect(() => verify(answered(2, 3))).toThrow('edition 3 of the clauses is unknown to this verifier')
  })

  test('binds the terms that were signed: another figure, text or mandate is refused', () => {
    const good = answered(2, 2)
    const signed = { seq: 1, edition: 2, termsHash: good.terms_hash }
    const check = (answer: object, mandate = mandateId) => verifyTerms(mandate, signed, JSON.stringify(answer))
    check(good)
    expect(() => check(answered(2, 2, { ...figures, budget: 1n + figures.budget }))).toThrow(
      'others than those that entry 1',
    )
    const [first, ...rest] = good.clauses
    expect(() => check({ ...good, clauses: [{ ...first, text: 'Budget: none.' }, ...rest] })).toThrow(
      'clause 1 is shown with another text than was signed',
    )
    expect(() => check(good, `mdt_${'6'.repeat(32)}`)).toThrow('the terms are of another mandate')
    expect(() => check({ public_id: mandateId })).toThrow('no answer of GET')
    expect(() => verifyTerms(mandateId, undefined, JSON.stringify(good))).toThrow('no signature of terms')
  })
})
