import { readFileSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'

const decompressedMax = 512 * 1024 * 1024

/** Returns the non-empty lines of a zstd file of at most 512 MB of text; throws if it is missing, larger or damaged. */
export function zstdLines(path: string): string[] {
  const text = zstdDecompressSync(readFileSync(path), { maxOutputLength: decompressedMax }).toString('utf8')
  return text.split('\n').filter((line) => line !== '')
}
