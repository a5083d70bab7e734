import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { boardInputs, type BoardInputs } from './domain/board-inputs.ts'
import type { BoardEntry } from './domain/board.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const TEXT_BYTES_MAX = 256 * 1024 * 1024

/** Compressed inputs of a board, and the hash of their text, by which anybody names them. */
export async function packInputs(inputs: BoardInputs): Promise<{ readonly bytes: Buffer; readonly sha256: string }> {
  const text = JSON.stringify(inputs)
  return { bytes: await compress(text, LEVEL), sha256: createHash('sha256').update(text).digest('hex') }
}

/** Inputs as they were packed; throws when they are not what the hash names. */
export async function unpackInputs(bytes: Buffer, sha256: string): Promise<BoardInputs> {
  const text = await decompress(bytes, { maxOutputLength: TEXT_BYTES_MAX })
  if (createHash('sha256').update(text).digest('hex') !== sha256)
    throw new Error('the stored inputs are not those that their hash names')
  return boardInputs.parse(JSON.parse(text.toString('utf8')))
}

export const packEntries = (entries: readonly BoardEntry[]): Promise<Buffer> => compress(JSON.stringify(entries), LEVEL)

/** Entries as they were packed; they come from our own table and are not checked again. */
export async function unpackEntries(bytes: Buffer): Promise<readonly BoardEntry[]> {
  const text = await decompress(bytes, { maxOutputLength: TEXT_BYTES_MAX })
  return JSON.parse(text.toString('utf8')) as readonly BoardEntry[]
}
