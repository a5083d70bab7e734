import { createPublicKey } from 'node:crypto'
import { compactVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHarness, type Harness } from './harness.ts'

let on: Harness
beforeAll(async () => {
  on = await openHarness()
})
afterAll(() => on?.close())

const head = { mandate: 'mdt_0123456789abcdef0123456789abcdef', seq: 7, hash: 'ab'.repeat(32) }

test('a signed head verifies by the published keys, and says what was signed', async () => {
  const { jws } = await on.askAsMandates.signRecordHead(head)
  const { keys } = await on.ask.listSigningKeys({})
  const { payload, protectedHeader } = await compactVerify(jws, ({ kid }) => {
    const key = keys.find((one) => one.kid === kid)
    if (key === undefined) throw new Error('the key is not published')
    return createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' })
  })
  expect(JSON.parse(Buffer.from(payload).toString('utf8'))).toEqual(head)
  expect(protectedHeader).toMatchObject({ alg: 'EdDSA', typ: 'record-head+json' })
})

test('a signed head is no access token', async () => {
  const { jws } = await on.askAsMandates.signRecordHead(head)
  expect(await on.resolveToken(jws)).toBeNull()
})

test('only mandates has heads signed', async () => {
  for (const other of [on.askAsMining, on.ask])
    await expect(other.signRecordHead(head, { deadline: Date.now() + 500 })).rejects.toThrow()
})
