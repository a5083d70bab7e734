import { createHash } from 'node:crypto'
import { bytesOf, openDocument } from '@svc/report-drawing/document'
import { visible } from '@svc/report-drawing/glyphs'
import type { ReportInputs } from '../rules/report.ts'
import { detailBlocks } from './detail-pages.ts'
import { firstPage } from './first-page.ts'
import { drawFlowed, flow } from './flow.ts'
import { openPen } from './pen.ts'
import { foot, type Sheet } from './sheet.ts'
import { wordsOf } from './texts.ts'

/** A finished report. */
export interface MadePdf {
  readonly pdf: Uint8Array<ArrayBuffer>
  readonly pages: number
}

/**
 * Draws a report. Equal inputs give equal bytes: all dates in the file are the end of the data, and nothing is random. The inputs are attached as `inputs.json`. `compress: false` keeps the drawing readable, for tests.
 */
export async function makePdf(inputsJson: string, { compress = true } = {}): Promise<MadePdf> {
  const { lang, version, research } = JSON.parse(inputsJson) as ReportInputs
  const say = wordsOf(lang)
  const date = new Date(research.meta.to)
  const title = visible(`${say('title')}: ${research.meta.symbol}, ${research.meta.exchange}`)
  const doc = openDocument(date, {
    lang: lang === 'ko' ? 'ko-KR' : 'en-US',
    tagged: true,
    compress,
    info: { Title: title, Subject: say(version === 'v1' ? 'summary' : 'detailed') },
  })
  const sheet: Sheet = {
    pen: openPen(doc),
    say,
    lang,
    research,
    inputsSha256: createHash('sha256').update(inputsJson).digest('hex'),
  }
  const further = version === 'v1' ? [] : flow(sheet, detailBlocks(sheet))
  const pages = [firstPage, ...further.map((page) => (on: Sheet) => drawFlowed(on, page))]
  for (const [place, draw] of pages.entries()) {
    doc.addPage()
    draw(sheet)
    foot(sheet, place + 1, pages.length)
  }
  doc.file(Buffer.from(inputsJson), {
    name: 'inputs.json',
    type: 'application/json',
    creationDate: date,
    modifiedDate: date,
  })
  return { pdf: await bytesOf(doc), pages: pages.length }
}
