import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, createZstdCompress, zstdDecompress } from 'node:zlib'

const decompressBytes = promisify(zstdDecompress)
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const TEXT_BYTES_MAX = 256 * 1024 * 1024
/** Values written or read in one turn of the event loop: a whole board in one turn would delay everything else. */
const CHUNK = 200

/** Compresses values as JSON, one a line, in chunks. `onText` receives each chunk of the text before its compression. */
export function packLines(values: readonly unknown[], onText: (text: string) => void = () => {}): Promise<Buffer> {
  const chunks = function* (): Generator<string> {
    for (let start = 0; start < values.length; start += CHUNK) {
      const lines = values.slice(start, start + CHUNK).map((value) => JSON.stringify(value))
      const text = `${lines.join('\n')}\n`
      onText(text)
      yield text
    }
  }
  return buffer(Readable.from(chunks()).pipe(createZstdCompress(LEVEL)))
}

/** Returns the text that `packLines` compressed, at most 256 MB. */
export const decompress = (bytes: Buffer): Promise<Buffer> =>
  decompressBytes(bytes, { maxOutputLength: TEXT_BYTES_MAX })

/** Parses the lines of a text in chunks; `read` turns each parsed line into a value. */
export async function readLines<T>(text: Buffer, read: (value: unknown) => T): Promise<T[]> {
  const values: T[] = []
  for (let start = 0; start < text.length;) {
    const end = text.indexOf(10, start)
    values.push(read(JSON.parse(text.toString('utf8', start, end))))
    start = end + 1
    if (values.length % CHUNK === 0) await turn()
  }
  return values
}

/** Returns the values that `packLines` compressed. */
export const unpackLines = async <T>(bytes: Buffer, read: (value: unknown) => T): Promise<T[]> =>
  readLines(await decompress(bytes), read)
