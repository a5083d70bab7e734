import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { drawable } from '@svc/report-drawing/glyphs'
import { expect, test } from 'vitest'
import { statementPdf, type StatementInputs } from './statement-pdf.ts'
import type { Statement } from '@svc/contracts/mandates/statements'

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
  unbooked_usdc: '0',
  trades: 0,
  spent_usdc: '0',
  received_usdc: '0',
  fees_usdc: '0',
  leg_orders: 0,
  leg_filled_usdc: '0',
  leg_fees_usdc: '0',
  leg_funded_usdc: '0',
  leg_returned_usdc: '0',
  closing_leg_usdc: '0',
  refusals: { total: 0, by_kind: {} },
  approvals: { requested: 0, approved: 0, declined: 0, used: 0, expired: 0 },
  violations: 0,
  days: { counted: 7, inside_limits: 7 },
}

const textsOf = (item: object) => {
  const record_head = { seq: 0, hash: '', jws: null }
  return firstPageOf({ period: statement, items: [{ ...statement, record_head, ...item } as Statement], own: null })
}

const firstPageOf = async (inputs: StatementInputs) => {
  const data = await statementPdf(inputs)
  const page = await (await getDocument({ data, verbosity: 0 }).promise).getPage(1)
  return (await page.getTextContent()).items.map((one) => ('str' in one ? one.str : ''))
}

test('the page shows the whole hash of the record, whatever its digits are', async () => {
  for (const digit of ['0', 'd']) {
    const record_head = { seq: 4, hash: digit.repeat(64), jws: null }
    expect(await textsOf({ record_head })).toContain(record_head.hash)
  }
})

test('a name in a script that the fonts lack is replaced by the id, a name with another missing character is not', async () => {
  const { public_id } = statement
  for (const name of ['Выходные', '週末の取引', 'سوق']) {
    const texts = await textsOf({ name })
    expect(texts.filter((text) => text === public_id)).toHaveLength(2)
    expect(texts.join(' ')).not.toContain('?')
  }
  for (const [name, drawn] of [
    ['주말 차익', '주말 차익'],
    ['Été', 'Été'],
    ['to the \u{1f315}', 'to the ?'],
  ] as const)
    expect((await textsOf({ name })).join('')).toContain(drawn)
})

test('a statement over all mandates names its week, even without mandates, and states how many the totals exclude', async () => {
  const own = { totals: statement, omitted: 0 }
  const none = (await firstPageOf({ period: statement, items: [], own })).join('')
  for (const words of ['All mandates', '2026-W47', 'there is none']) expect(none).toContain(words)
  const more = await firstPageOf({ period: statement, items: [], own: { ...own, omitted: 3 } })
  expect(more.join('')).toContain('3 older ones are in no total')
})

test.each([
  ['the end of its week', true, '20261123'],
  ['the beginning of its week while that is not over: no date in the future', false, '20261116'],
])('the creation date of a statement is %s', async (_title, complete, date) => {
  const record_head = { seq: 0, hash: '', jws: null }
  const items = [{ ...statement, record_head } as Statement]
  const data = await statementPdf({ period: { ...statement, complete }, items, own: null })
  const { info } = await (await getDocument({ data, verbosity: 0 }).promise).getMetadata()
  expect(String((info as { CreationDate: string }).CreationDate)).toContain(date)
})

const HOSTILE = [
  ['PDF syntax', '() Tj ET << /JS (app.alert(1)) >> endstream endobj % \\'],
  ['an object', 'x) /OpenAction << /S /JavaScript /JS (x) >> (y'],
  ['a very long word', 'W'.repeat(400)],
  ['a very long Korean word', '\uBC34'.repeat(200)],
  ['line breaks', 'one\ntwo\r\nthree\u2028four'],
  ['bidirectional marks', 'pay \u202E001\u202C USDC\u2067x\u2069'],
  ['zero width', 'a\u200Bb\u2060c\uFEFFd\u00ADf'],
  ['a letter that nobody sees', 'a\u3164b'],
  ['control characters', 'a\u0000b\u001B[31mc\u009Bd'],
  ['a formula', '=HYPERLINK("https://evil.example","x")'],
  ['emoji', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467} \u{1F1F0}\u{1F1F7}'],
] as const

test.each(HOSTILE)('a name with %s is drawn on its line and does nothing else', async (_title, name) => {
  const item = { ...statement, name, record_head: { seq: 0, hash: '', jws: null } } as Statement
  const data = await statementPdf({ period: statement, items: [item], own: null })
  const pdf = await getDocument({ data, verbosity: 0 }).promise
  const page = await pdf.getPage(1)
  const [info, scripts, opened, files, links] = await Promise.all([
    pdf.getMetadata(),
    pdf.getJSActions(),
    pdf.getOpenAction(),
    pdf.getAttachments(),
    page.getAnnotations(),
  ])
  expect([pdf.numPages, scripts, opened, files, links]).toEqual([1, null, null, null, []])
  expect(info.info).toMatchObject({ Title: 'Weekly statement 2026-W47' })
  const items = (await page.getTextContent()).items.flatMap((one) => ('str' in one && one.str !== '' ? [one] : []))
  const right = Math.max(...items.map(({ transform, width }) => Number(transform[4]) + width))
  expect(right).toBeLessThanOrEqual(595.28 - 56 + 1)
  const text = items.map(({ str }) => str).join('')
  // A name that has lost a letter is shown by its id.
  const shown = name.includes('\u3164') ? statement.public_id : drawable(name, 'bold')
  expect(text).toContain(shown.slice(0, 20))
  expect(text).not.toMatch(/\p{Default_Ignorable_Code_Point}|\p{Cc}/u)
  // Nothing but the name has changed.
  const plain = await textsOf({})
  for (const words of plain.filter((one) => one !== '' && one !== statement.name)) expect(text).toContain(words)
})
