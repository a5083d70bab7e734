import { statementPdf, type StatementInputs } from './statement-pdf.ts'

/** Draws a statement in this thread. */
export function draw(inputs: StatementInputs): Promise<Uint8Array<ArrayBuffer>> {
  return statementPdf(inputs)
}
