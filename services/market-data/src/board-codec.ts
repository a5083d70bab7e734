import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, createZstdCompress, zstdDecompress } from 'node:zlib'
import { boardInputs, type BoardInputs } from './domain/board-inputs.ts'
import type { BoardEntry } from './domain/board.ts'

const decompress = promisify(zstdDecompress)
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const TEXT_BYTES_MAX = 256 * 1024 * 1024
/** Values written or read in one turn of the event loop: a whole board at once would hold up everything else. */
const CHUNK = 200

/** One JSON text a line, a chunk at a time. */
function* linesOf(values: readonly unknown[]): Generator<string> {
  for (let start = 0; start < values.length; start += CHUNK)
    yield `${values
      .slice(start, start + CHUNK)
      .map((value) => JSON.stringify(value))
      .join('\n')}\n`
}

/** Values as compressed JSON, one a line. */
export const packLines = (values: readonly unknown[]): Promise<Buffer> => pack(linesOf(values))

const pack = (lines: Iterable<string>): Promise<Buffer> => buffer(Readable.from(lines).pipe(createZstdCompress(LEVEL)))

/** What `packLines` packed, each value read by `read`. */
export async function unpackLines<T>(bytes: Buffer, read: (value: unknown) => T): Promise<T[]> {
  const text = await decompress(bytes, { maxOutputLength: TEXT_BYTES_MAX })
  const values: T[] = []
  for (let start = 0; start < text.length;) {
    const end = text.indexOf(10, start)
    values.push(read(JSON.parse(text.toString('utf8', start, end))))
    start = end + 1
    if (values.length % CHUNK === 0) await turn()
  }
  return values
}

/** Compressed inputs of a board, and the hash of their text, by which anybody names them. */
export async function packInputs({
  tokens,
  ...head
}: BoardInputs): Promise<{ readonly bytes: Buffer; readonly sha256: string }> {
  const hash = createHash('sha256')
  const hashed = function* (): Generator<string> {
    for (const lines of linesOf([head, ...tokens])) {
      hash.update(lines)
      yield lines
    }
  }
  return { bytes: await pack(hashed()), sha256: hash.digest('hex') }
}

/** Inputs as they were packed; throws when they are not what the hash names. */
export async function unpackInputs(bytes: Buffer, sha256: string): Promise<BoardInputs> {
  const text = await decompress(bytes, { maxOutputLength: TEXT_BYTES_MAX })
  if (createHash('sha256').update(text).digest('hex') !== sha256)
    throw new Error('the stored inputs are not those that their hash names')
  const [head, ...tokens] = await unpackLines(bytes, (value) => value)
  return boardInputs.parse({ ...(head as object), tokens })
}

export const packEntries = (entries: readonly BoardEntry[]): Promise<Buffer> => packLines(entries)

/** Entries as they were packed; they come from our own table and are not checked again. */
export const unpackEntries = (bytes: Buffer): Promise<readonly BoardEntry[]> =>
  unpackLines(bytes, (value) => value as BoardEntry)
