import { operation } from '@svc/contract'
import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { csvOf } from './csv.ts'

const row = z.object({
  text: z.string().nullable(),
  figure: z.number(),
  pair: z.object({ a: z.string(), b: z.boolean() }),
})
const declared = {
  ...operation({
    summary: 'Read',
    auth: 'open',
    http: 'GET /rows',
    csv: { list: 'rows', head: ['at'] },
    input: z.strictObject({}),
    success: { 200: z.object({ at: z.string(), rows: z.array(row) }) },
  }),
  service: 'rows',
  key: 'read',
}
const tableOf = (rows: readonly z.output<typeof row>[]) => csvOf(declared as never, { at: 'now', rows })

test('another reader of CSV reads every text, also one with quotes, commas and line ends, and no cell is a formula', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[=+\-@\t\r",\n a1.]{0,6}$/))
  const rows = fc.array(
    fc.record({
      text: fc.option(text, { nil: null }),
      figure: fc.double({ noNaN: true, noDefaultInfinity: true }),
      pair: fc.record({ a: text, b: fc.boolean() }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  fc.assert(
    fc.property(rows, (given) => {
      const [head, ...read] = Papa.parse<string[]>(tableOf(given).slice(0, -2), { newline: '\r\n' }).data
      expect(head).toEqual(['at', 'text', 'figure', 'pair.a', 'pair.b'])
      expect(read).toHaveLength(given.length)
      for (const [place, cells] of read.entries()) {
        const { text: own = null, figure = 0, pair } = given[place] ?? {}
        for (const [cell, said] of [
          [cells[1], own ?? ''],
          [cells[3], pair?.a ?? ''],
        ] as const) {
          // A quote before what a spreadsheet would run.
          expect([said, `'${said}`]).toContain(cell)
          if (/^[=+@\t\r-]/.test(cell ?? '')) expect(cell).toMatch(/^-\d+(\.\d+)?$/)
        }
        expect(Number(cells[2]) === figure).toBe(true)
        expect(cells[4]).toBe(String(pair?.b))
      }
    }),
  )
})

test('a table without rows has its header', () => {
  expect(tableOf([])).toBe('at,text,figure,pair.a,pair.b\r\n')
})
