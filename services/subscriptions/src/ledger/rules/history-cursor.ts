/** Opaque cursor that continues a history below a transfer id. */
export function encodeCursor(transferId: number): string {
  return Buffer.from(String(transferId)).toString('base64url')
}

/** The transfer id of a cursor; null when it is none of ours. */
export function decodeCursor(cursor: string): number | null {
  const id = Number(Buffer.from(cursor, 'base64url').toString('utf8'))
  return Number.isSafeInteger(id) && id > 0 && encodeCursor(id) === cursor ? id : null
}
