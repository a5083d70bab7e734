import { arrayBuffer } from 'node:stream/consumers'
import { reportFonts } from '@svc/report-fonts'
import PDFDocument from 'pdfkit'

/** Size of a page in points. */
export const A4 = { width: 595.28, height: 841.89 } as const

/**
 * Opens a document without pages and with the fonts `regular` and `bold`; added pages are A4 without margins. All dates of
 * the file are `date`, so equal drawings give equal bytes.
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

/** Ends a document and returns its file. */
export async function bytesOf(doc: PDFKit.PDFDocument): Promise<Uint8Array<ArrayBuffer>> {
  doc.end()
  return new Uint8Array(await arrayBuffer(doc))
}

/** Draws and discards a page, so that the fonts are loaded and pdfkit is compiled before the first file. */
export async function warmUp(): Promise<void> {
  const doc = openDocument(new Date(0), { tagged: true })
  doc.addPage()
  for (const font of ['regular', 'bold']) doc.font(font).text('가나다 abc 0123', { lineBreak: false })
  await bytesOf(doc)
}
