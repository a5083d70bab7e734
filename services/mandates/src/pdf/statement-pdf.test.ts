import type { Statement } from '@svc/contracts/mandates-worth'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, test } from 'vitest'
import { statementPdf } from './statement-pdf.ts'

const statement = {
  name: 'Weekend basis',
  public_id: `mdt_${'0'.repeat(32)}`,
  state: 'working',
  week: '2026-W47',
  from: '2026-11-16T00:00:00.000Z',
  to: '2026-11-23T00:00:00.000Z',
  complete: true,
  opening_worth_usdc: '100',
  closing_worth_usdc: '100',
  profit_usdc: '0',
  deposits_usdc: '0',
  withdrawals_usdc: '0',
  trades: 0,
  spent_usdc: '0',
  received_usdc: '0',
  fees_usdc: '0',
  refusals: { total: 0, by_kind: {} },
  approvals: { requested: 0, approved: 0, declined: 0, used: 0, expired: 0 },
  violations: 0,
  days: { counted: 7, inside_limits: 7 },
}

test('the hash of the record stands on the page whole, of whatever digits it is made', async () => {
  for (const digit of ['0', 'd']) {
    const record_head = { seq: 4, hash: digit.repeat(64), jws: null }
    const data = await statementPdf({ items: [{ ...statement, record_head } as Statement], totals: null })
    const page = await (await getDocument({ data, verbosity: 0 }).promise).getPage(1)
    const texts = (await page.getTextContent()).items.map((item) => ('str' in item ? item.str : ''))
    expect(texts).toContain(record_head.hash)
  }
})
