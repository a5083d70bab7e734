import type { StoredFile } from '@svc/contract'
import type { Context } from '#context.ts'
import type { StatementInputs } from './statement-pdf.ts'

/** Draws statements as a file and stores it; it replaces an earlier file of the same name. */
export async function statementFile(
  { documents }: Context,
  name: string,
  inputs: StatementInputs,
): Promise<StoredFile> {
  const filename = `${name}.pdf`
  const stored = await documents.store(filename, await documents.drawStatement(inputs))
  return { ...stored, filename }
}
