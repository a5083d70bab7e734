import { arrayBuffer } from 'node:stream/consumers'
import { reportFonts } from '@svc/report-fonts'
import PDFDocument from 'pdfkit'

/** Size of a page in points. */
export const A4 = { width: 595.28, height: 841.89 } as const

/**
 * Opens a document without pages; those added are A4 without margins. It has the fonts `regular` and `bold`. Its only
 * dates are `date`, so the same drawing gives the same bytes.
 */
export function openDocument(date: Date, options: PDFKit.PDFDocumentOptions): PDFKit.PDFDocument {
  const doc = new PDFDocument({
    size: [A4.width, A4.height],
    margin: 0,
    pdfVersion: '1.7',
    displayTitle: true,
    autoFirstPage: false,
    ...options,
    info: { ...options.info, CreationDate: date, ModDate: date },
  })
  doc.registerFont('regular', reportFonts.regular)
  doc.registerFont('bold', reportFonts.bold)
  return doc
}

/** Ends a document and gives its file. */
export async function bytesOf(doc: PDFKit.PDFDocument): Promise<Uint8Array<ArrayBuffer>> {
  doc.end()
  return new Uint8Array(await arrayBuffer(doc))
}

/** Draws a page that nobody sees, so that the fonts are read and pdfkit is compiled before the first file. */
export async function warmUp(): Promise<void> {
  const doc = openDocument(new Date(0), { tagged: true })
  doc.addPage()
  for (const font of ['regular', 'bold']) doc.font(font).text('가나다 abc 0123', { lineBreak: false })
  await bytesOf(doc)
}
