import { inflateSync } from 'node:zlib'

/** How a file of `makePdf` begins the object of its attachment. */
const ATTACHMENT =
  /\/Type \/EmbeddedFile\n[^]{0,500}?\/Subtype \/application#2Fjson\n\/Length (\d+)\n\/Filter \/FlateDecode\n>>\nstream\n/

/** Returns the inputs that a file of `makePdf` carries as `inputs.json`; null for any other file. */
export function attachedInputs(pdf: Buffer): string | null {
  const found = ATTACHMENT.exec(pdf.toString('latin1'))
  if (found === null) return null
  const from = found.index + found[0].length
  return inflateSync(pdf.subarray(from, from + Number(found[1]))).toString('utf8')
}
