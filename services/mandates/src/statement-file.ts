import type { StoredFile } from '@svc/contract'
import type { OwnStatement, Statement } from '@svc/contracts/mandates-worth'
import type { Context } from './context.ts'

/** Draws statements and stores the file under its name, in place of an earlier one. */
export async function statementFile(
  { documents }: Context,
  name: string,
  items: readonly Statement[],
  totals: OwnStatement['totals'] | null,
): Promise<StoredFile> {
  const filename = `${name}.pdf`
  const stored = await documents.store(filename, await documents.drawStatement({ items, totals }))
  return { ...stored, filename }
}
