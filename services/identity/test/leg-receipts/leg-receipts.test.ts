import type { LegReceipt } from '@svc/contracts/hl-leg/order-schemas'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { openHarness } from '../harness.ts'
import { verifyDocument } from '../verify-document.ts'

const on = opened(() => openHarness())

const receipt: LegReceipt = {
  version: 2,
  mandate: 'mdt_0123456789abcdef0123456789abcdef',
  network: 'testnet',
  account: `0x${'11'.repeat(20)}`,
  terms_hash: `0x${'ab'.repeat(32)}`,
  judgement: { kind: null, verdicts: [] },
  market: 'hl:BTC',
  coin: 'BTC',
  side: 'buy',
  opening: true,
  size: '0.001',
  worst_price: '63000',
  mark_price: '60000',
  amount_usdc: '75',
  reference_price: '63000',
  best_bid: '59994',
  best_ask: '60006',
  readings: [{ dex: '', time: 1_700_000_000_000, account_value_usdc: '100' }],
  book_time: 1_700_000_000_000,
  cloid: `0x${'c1'.repeat(16)}`,
  oid: 1_000,
  nonce: 1_700_000_000_001,
  expires_after: 1_700_000_015_000,
  status: 'filled',
  filled_size: '0.001',
  average_price: '60006',
  notional_usdc: '60.006',
  fee_usdc: '0.027003',
  fills: [{ tid: 1, px: '60006', sz: '0.001', fee: '0.027003', time: 1_700_000_000_100 }],
  resolved_at: '2026-11-21T09:00:00.000Z',
}

test('a signed receipt verifies by the published keys, says what was signed and is no access token', async () => {
  const { jws } = await on.askAsLeg.signLegReceipt({ receipt })
  expect(await verifyDocument(on, jws)).toEqual({
    content: { ...receipt, signed_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    alg: 'EdDSA',
    typ: 'leg-receipt+json',
  })
  expect(await on.resolveToken(jws)).toBeNull()
})

test('an order has one receipt: the same content is signed again, another content never', async () => {
  await on.askAsLeg.signLegReceipt({ receipt })
  for (const other of [{ filled_size: '0.002' }, { fills: [] }, { terms_hash: null }])
    await expect(on.askAsLeg.signLegReceipt({ receipt: { ...receipt, ...other } })).rejects.toMatchObject({
      body: { code: 'receipt_differs' },
    })
  await on.askAsLeg.signLegReceipt({ receipt: { ...receipt, cloid: `0x${'c2'.repeat(16)}`, filled_size: '0.002' } })
})

test('only hl-leg may request signatures of receipts', async () => {
  for (const other of [on.askAsMandates, on.ask])
    await expect(other.signLegReceipt({ receipt }, { deadline: Date.now() + 500 })).rejects.toThrow()
})
