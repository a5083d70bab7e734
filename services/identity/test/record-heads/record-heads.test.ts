import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { openHarness } from '../harness.ts'
import { verifyDocument } from '../verify-document.ts'

const on = opened(() => openHarness())

const chain = { chain_id: 31_337, vault: `0x${'11'.repeat(20)}` }
const head = { mandate: 'mdt_0123456789abcdef0123456789abcdef', seq: 7, hash: 'ab'.repeat(32), chain }

test('a signed head verifies by the published keys, and says what was signed', async () => {
  const { jws } = await on.askAsMandates.signRecordHead(head)
  expect(await verifyDocument(on, jws)).toEqual({
    content: { ...head, signed_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    alg: 'EdDSA',
    typ: 'record-head+json',
  })
})

test('the highest head of a mandate is stored: a lower head, and another hash at the same entry, are refused', async () => {
  const mandate = `mdt_${'e'.repeat(32)}`
  await on.askAsMandates.signRecordHead({ ...head, mandate })
  await on.askAsMandates.signRecordHead({ ...head, mandate })
  for (const other of [{ seq: 6 }, { hash: 'cd'.repeat(32) }, { seq: 1, hash: 'cd'.repeat(32) }])
    await expect(on.askAsMandates.signRecordHead({ ...head, mandate, ...other })).rejects.toMatchObject({
      body: { code: 'head_superseded' },
    })
  await on.askAsMandates.signRecordHead({ ...head, mandate, seq: 8, hash: 'cd'.repeat(32) })
  await expect(on.askAsMandates.signRecordHead({ ...head, mandate })).rejects.toMatchObject({
    body: { code: 'head_superseded' },
  })
  // Of many at once the highest stays.
  const seqs = Array.from({ length: 20 }, (_, at) => 20 + at)
  await Promise.allSettled(seqs.map((seq) => on.askAsMandates.signRecordHead({ ...head, mandate, seq })))
  await expect(on.askAsMandates.signRecordHead({ ...head, mandate, seq: 38 })).rejects.toMatchObject({ status: 409 })
})

test('a signed head is no access token', async () => {
  const { jws } = await on.askAsMandates.signRecordHead(head)
  expect(await on.resolveToken(jws)).toBeNull()
})

test('only mandates may request signatures of heads', async () => {
  for (const other of [on.askAsMining, on.ask])
    await expect(other.signRecordHead(head, { deadline: Date.now() + 500 })).rejects.toThrow()
})
