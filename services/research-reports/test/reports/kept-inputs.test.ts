import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makePdf } from '#reports/pdf/document.ts'
import { LAYOUT_VERSION } from '#reports/rules/report.ts'

/** Inputs of a report in the layout that a file is named for, as rows keep them for a year. */
const FOLDER = new URL('./kept-inputs/', import.meta.url)
const layouts = readdirSync(FOLDER).map((name) => basename(name, '.json.gz'))

test('inputs of the present layout are kept as a sample', () => {
  expect(layouts).toContain(LAYOUT_VERSION)
})

test.each(layouts)('a lost report of %s is drawn again by the present code', async (layout) => {
  const inputs = gunzipSync(readFileSync(new URL(`${layout}.json.gz`, FOLDER))).toString()
  expect(JSON.parse(inputs)).toMatchObject({ layout, version: 'v2' })
  expect((await makePdf(inputs)).pages).toBeGreaterThan(1)
})
