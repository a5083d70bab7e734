import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { openHarness } from '../harness.ts'
import { verifyDocument } from '../verify-document.ts'

const on = opened(() => openHarness())

const root = { day: '2026-11-21', accounts: 3, root: 'a'.repeat(64), computed_at: '2026-11-21T00:00:01.000Z' }
const differs = { body: { code: 'root_differs' } }

test('a signed root verifies by the published keys, says what was signed and is no access token', async () => {
  const { jws } = await on.askAsSubscriptions.signBalanceRoot(root)
  expect(await verifyDocument(on, jws)).toEqual({
    content: { ...root, signed_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    alg: 'EdDSA',
    typ: 'balance-root+json',
  })
  expect(await on.resolveToken(jws)).toBeNull()
})

test('a day has one root: the same is signed again, another one never, nor one of a day before the newest', async () => {
  const sign = (more: object) => on.askAsSubscriptions.signBalanceRoot({ ...root, ...more })
  await sign({})
  for (const other of [{ root: 'b'.repeat(64) }, { accounts: 4 }, { computed_at: '2026-11-21T00:00:02.000Z' }])
    await expect(sign(other)).rejects.toMatchObject(differs)
  const both = await Promise.allSettled([
    sign({ day: '2026-11-22', root: 'c'.repeat(64) }),
    sign({ day: '2026-11-22', root: 'd'.repeat(64) }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  for (const day of ['2026-11-20', root.day]) await expect(sign({ day })).rejects.toMatchObject(differs)
})

test('only subscriptions may request signatures of roots', async () => {
  for (const other of [on.askAsMandates, on.ask])
    await expect(other.signBalanceRoot(root, { deadline: Date.now() + 500 })).rejects.toThrow()
})
