import type { StoredFile } from '@svc/contract'
import type { Context } from '#context.ts'
import type { StatementInputs } from './statement-pdf.ts'

/** Draws statements and stores the file under its name, in place of an earlier one. */
export async function statementFile(
  { documents }: Context,
  name: string,
  inputs: StatementInputs,
): Promise<StoredFile> {
  const filename = `${name}.pdf`
  const stored = await documents.store(filename, await documents.drawStatement(inputs))
  return { ...stored, filename }
}
