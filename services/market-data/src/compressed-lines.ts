import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, createZstdCompress, zstdDecompress } from 'node:zlib'
import { objectOf, valuesOf, type Members } from './named-members.ts'

const decompressBytes = promisify(zstdDecompress)
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const TEXT_BYTES_MAX = 256 * 1024 * 1024
/** Values written or read in one turn of the event loop: a whole board in one turn would delay everything else. */
const CHUNK = 200

/** Compresses values as JSON, one a line, in chunks. */
export const packLines = (values: readonly unknown[]): Promise<Buffer> => compress(textOf(values))

/**
 * Compresses objects of one kind: a line with `head` and the members, and then a line with the values of each object.
 * `onText` receives each chunk of the text before its compression.
 */
export function packObjects(
  head: object,
  objects: readonly object[],
  members: Members,
  onText: (text: Buffer) => void = () => {},
): Promise<Buffer> {
  const chunks = function* (): Generator<Buffer> {
    for (const text of [textOf([{ ...head, members }]), textOf(objects, (object) => valuesOf(object, members))])
      for (const chunk of text) {
        onText(chunk)
        yield chunk
      }
  }
  return compress(chunks())
}

function* textOf<T>(values: readonly T[], lineOf: (value: T) => unknown = (value) => value): Generator<Buffer> {
  for (let start = 0; start < values.length; start += CHUNK) {
    const lines = values.slice(start, start + CHUNK).map((value) => JSON.stringify(lineOf(value)))
    yield Buffer.from(`${lines.join('\n')}\n`)
  }
}

const compress = (chunks: Iterable<Buffer>): Promise<Buffer> => pipeline(chunks, createZstdCompress(LEVEL), buffer)

/** Returns the text that `packLines` or `packObjects` compressed, at most 256 MB. */
export const decompress = (bytes: Buffer): Promise<Buffer> =>
  decompressBytes(bytes, { maxOutputLength: TEXT_BYTES_MAX })

/** Parses the lines of a text in chunks; `read` turns each parsed line into a value. */
async function readLines<T>(text: Buffer, read: (value: unknown) => T): Promise<T[]> {
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

interface Head {
  readonly members: Members
}

const isHead = (line: object): line is Head => Object.hasOwn(line, 'members')

/**
 * Returns the head and the objects of a text that `packObjects` compressed. A text of a release that did not know members has
 * no head; each of its lines is an object.
 */
export async function readObjects<T>(
  text: Buffer,
  read: (object: object) => T,
): Promise<{ readonly head: Head | null; readonly objects: readonly T[] }> {
  let head: Head | null = null
  const objects: T[] = []
  await readLines(text, (value) => {
    const line = value as object
    if (isHead(line)) head = line
    else objects.push(read(head === null ? line : objectOf(line as readonly unknown[], head.members)))
  })
  return { head, objects }
}
