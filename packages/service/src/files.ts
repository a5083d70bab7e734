import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { jetstream } from '@nats-io/jetstream'
import { Objm, type ObjectInfo, type ObjectStore } from '@nats-io/obj'
import type { StoredFile } from '@svc/contract'
import type { Bus } from './bus.ts'
import { Outage } from './errors.ts'

/** Files of one bucket of the object store. A file is whole or absent: its name appears after its last byte. */
export interface Files {
  /** Stores a file under a name, in place of an earlier one; gives what `storedFile` needs. */
  put(
    name: string,
    data: Uint8Array,
  ): Promise<{ readonly bucket: string; readonly name: string; readonly bytes: number; readonly sha256: string }>
  /** The bytes as a stream; null when there is no such file. A corrupt file ends the stream with an error. */
  read(name: string): Promise<ReadableStream<Uint8Array> | null>
  /** Removing what is not there is no error. */
  remove(name: string): Promise<void>
}

const openStore = (bus: Bus, bucket: string): Promise<ObjectStore> =>
  new Objm(jetstream(bus.connection, { checkAPI: false })).open(bucket)

/** Opens a bucket declared in a contract's `buckets`. */
export async function openFiles(bus: Bus, bucket: string): Promise<Files> {
  const store = await openStore(bus, bucket)
  return {
    put: async (name, data) => {
      await store.putBlob({ name }, data)
      return { bucket, name, bytes: data.byteLength, sha256: createHash('sha256').update(data).digest('hex') }
    },
    read: async (name) => (await store.get(name))?.data ?? null,
    remove: async (name) => {
      await store.delete(name)
    },
  }
}

/** The next piece of a file comes within this time, or the file counts as unreadable. */
const PIECE_MS = 10_000

async function soon<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Outage('files', 'the object store sends no further piece')), PIECE_MS)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Yields exactly `bytes` bytes of a source or throws. The last piece waits for the end of the source, which compares the
 * digest: whoever gets all bytes has good ones.
 */
async function* exactly(source: ReadableStream<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  const reader = source.getReader()
  try {
    let left = bytes
    let held: Uint8Array | null = null
    for (;;) {
      const { done, value } = await soon(reader.read())
      if (done) break
      left -= value.byteLength
      if (left < 0) throw new Outage('files', 'a stored file is longer than its entry says')
      if (held !== null) yield held
      held = value
    }
    if (left !== 0) throw new Outage('files', 'a stored file is shorter than its entry says')
    if (held !== null) yield held
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Whether an entry of a bucket is the file that an answer describes, and no link to another one. */
function describes(file: StoredFile, info: ObjectInfo): boolean {
  return (
    info.options?.link === undefined &&
    info.bucket === file.bucket &&
    info.name === file.name &&
    info.size === file.bytes &&
    Buffer.from(info.digest.slice('SHA-256='.length), 'base64url').toString('hex') === file.sha256
  )
}

/**
 * Reads files as answers name them, from any bucket this connection may read. Null when there is no such file or it
 * differs from its description; a stream that finds the difference later ends with an `Outage` before its last piece.
 */
export function fileReader(bus: Bus): (file: StoredFile) => Promise<Readable | null> {
  const buckets = new Map<string, ObjectStore>()
  return async (file) => {
    const store = buckets.get(file.bucket) ?? (await openStore(bus, file.bucket))
    buckets.set(file.bucket, store)
    const info = await store.info(file.name)
    if (info === null || info.deleted || !describes(file, info)) return null
    const found = await store.get(file.name)
    if (found === null) return null
    // The entry may have been replaced since it was read.
    if (describes(file, found.info)) return Readable.from(exactly(found.data, file.bytes))
    await found.data.cancel()
    return null
  }
}
