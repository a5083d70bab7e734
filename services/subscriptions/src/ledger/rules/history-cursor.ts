/** Returns an opaque cursor that continues a history below a transfer id. */
export function encodeCursor(transferId: number): string {
  return Buffer.from(String(transferId)).toString('base64url')
}

/** Returns the transfer id of a cursor; null unless `encodeCursor` made it. */
export function decodeCursor(cursor: string): number | null {
  const id = Number(Buffer.from(cursor, 'base64url').toString('utf8'))
  return Number.isSafeInteger(id) && id > 0 && encodeCursor(id) === cursor ? id : null
}
