import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import {
  jetstream,
  type JetStreamManager,
  type MsgRequest,
  type NextMsgRequest,
  type StoredMsg,
} from '@nats-io/jetstream'
import { Objm, type ObjectInfo, type ObjectStore } from '@nats-io/obj'
import { streamOfBucket, type StoredFile } from '@svc/contract'
import { managerOf, type Bus } from './bus.ts'
import { Outage } from './errors.ts'
import { isMissing } from './topology.ts'

/** Files of one bucket of the object store. A file is complete or absent: its name appears after its last byte. */
export interface Files {
  /**
   * Stores a file under a name, replacing an earlier one. Returns the members of `storedFile` that describe it. Rejects with
   * `Outage` if the bucket is full, missing or unreachable.
   */
  put(
    name: string,
    data: Uint8Array,
  ): Promise<{ readonly bucket: string; readonly name: string; readonly bytes: number; readonly sha256: string }>
  /**
   * Returns true if the bucket has a file as it is described, with all its pieces; false also if the bucket is missing.
   * Rejects with `Outage` if the object store does not answer.
   */
  has(file: Pick<StoredFile, 'name' | 'bytes' | 'sha256'>): Promise<boolean>
  /** Returns the bytes as a stream; null if the file does not exist. A corrupt file ends the stream with an error. */
  read(name: string): Promise<ReadableStream<Uint8Array> | null>
  /** Removes a file; a missing file is not an error. */
  remove(name: string): Promise<void>
}

interface Store {
  readonly objects: ObjectStore
  readonly stream: string
  readonly manager: JetStreamManager
}

/** Asks nothing of NATS, so that a service starts without its bucket and uses it once it is there. */
async function openStore(bus: Bus, bucket: string): Promise<Store> {
  const { connection, streamsApi: apiPrefix } = bus
  return {
    objects: await new Objm(jetstream(connection, { apiPrefix, checkAPI: false })).open(bucket, false),
    stream: streamOfBucket(bucket),
    manager: await managerOf(bus, PIECE_MS),
  }
}

/** A bucket that is full, missing or out of reach takes files again later. */
function refused(error: unknown): never {
  const why = error instanceof Error ? error.message : 'unknown error'
  throw new Outage('files', `the object store took no file: ${why}`, { cause: error })
}

const infoOf = ({ objects }: Store, name: string): Promise<ObjectInfo | null> =>
  objects.info(name).catch((error: unknown) => {
    throw unreadable('the object store did not return the entry of a file', error)
  })

/** Returns true if as many pieces of a file are stored as its entry counts. */
async function hasAllPieces({ manager, stream }: Store, { bucket, nuid, chunks }: ObjectInfo): Promise<boolean> {
  const subject = `$O.${bucket}.C.${nuid}`
  const { state } = await manager.streams.info(stream, { subjects_filter: subject })
  return (state.subjects?.[subject] ?? 0) === chunks
}

async function hasFile(store: Store, file: Pick<StoredFile, 'bucket' | 'name' | 'bytes' | 'sha256'>): Promise<boolean> {
  try {
    const info = await store.objects.info(file.name)
    return info !== null && !info.deleted && describes(file, info) && (await hasAllPieces(store, info))
  } catch (error) {
    if (isMissing(error)) return false
    throw unreadable('the object store did not tell whether it has a file', error)
  }
}

/** Opens a bucket declared in a contract's `buckets`. */
export async function openFiles(bus: Bus, bucket: string): Promise<Files> {
  const store = await openStore(bus, bucket)
  return {
    put: async (name, data) => {
      await store.objects.putBlob({ name }, data).catch(refused)
      return { bucket, name, bytes: data.byteLength, sha256: createHash('sha256').update(data).digest('hex') }
    },
    has: (file) => hasFile(store, { bucket, ...file }),
    read: async (name) => {
      const info = await infoOf(store, name)
      return info === null || info.deleted ? null : ReadableStream.from(piecesOf(store, info))
    },
    remove: async (name) => {
      await store.objects.delete(name)
    },
  }
}

/** Maximum wait for the next piece of a file; after it the file counts as unreadable. */
const PIECE_MS = 10_000

const unreadable = (detail: string, cause?: unknown) => new Outage('files', detail, { cause })

/**
 * Returns the first stored piece of a file at or after a sequence number. Uses requests, because a service may not
 * create a consumer.
 */
async function pieceFrom({ manager, stream }: Store, info: ObjectInfo, seq: number): Promise<StoredMsg> {
  const query: NextMsgRequest = { seq, next_by_subj: `$O.${info.bucket}.C.${info.nuid}` }
  const piece = await manager.streams.getMessage(stream, query as MsgRequest).catch((error: unknown) => {
    throw unreadable('the object store did not return the next piece', error)
  })
  if (piece === null) throw unreadable('a stored file is shorter than the size in its entry')
  return piece
}

/**
 * Yields the bytes of a file. Withholds the last piece until size and digest match the entry, so that a reader that
 * receives all bytes has the right ones. Throws for a corrupt file.
 */
async function* piecesOf(store: Store, info: ObjectInfo): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let left = info.size
  let seq = 1
  while (left > 0) {
    const piece = await pieceFrom(store, info, seq)
    seq = piece.seq + 1
    left -= piece.data.byteLength
    hash.update(piece.data)
    if (left < 0 || piece.data.byteLength === 0) throw unreadable('a stored file does not have the size of its entry')
    if (left === 0 && hash.digest('hex') !== digestOf(info)) throw unreadable('a stored file differs from its digest')
    yield piece.data
  }
}

const digestOf = ({ digest }: ObjectInfo): string =>
  Buffer.from(digest.slice('SHA-256='.length), 'base64url').toString('hex')

/** Returns true if an entry of a bucket is the file that an answer describes, and not a link to another file. */
function describes(file: Pick<StoredFile, 'bucket' | 'name' | 'bytes' | 'sha256'>, info: ObjectInfo): boolean {
  return (
    info.options?.link === undefined &&
    info.bucket === file.bucket &&
    info.name === file.name &&
    info.size === file.bytes &&
    digestOf(info) === file.sha256
  )
}

/**
 * Returns a function that reads files that answers name, from any bucket that this connection may read. It returns null
 * if the file does not exist or differs from its description. A stream that finds a difference later ends with an
 * `Outage` before its last piece.
 */
export function fileReader(bus: Bus): (file: StoredFile) => Promise<Readable | null> {
  const buckets = new Map<string, Store>()
  return async (file) => {
    const store = buckets.get(file.bucket) ?? (await openStore(bus, file.bucket))
    buckets.set(file.bucket, store)
    const info = await infoOf(store, file.name)
    if (info === null || info.deleted || !describes(file, info)) return null
    return Readable.from(piecesOf(store, info))
  }
}
