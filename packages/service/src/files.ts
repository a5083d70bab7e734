import { createHash } from 'node:crypto'
import { jetstream } from '@nats-io/jetstream'
import { Objm } from '@nats-io/obj'
import type { StoredFile } from '@svc/contract'
import type { Bus } from './bus.ts'

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

/** Opens a bucket declared in a contract's `buckets`. */
export async function openFiles(bus: Bus, bucket: string): Promise<Files> {
  const store = await new Objm(jetstream(bus.connection, { checkAPI: false })).open(bucket)
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

/** Reads files as answers name them, from any bucket this connection may read. */
export function fileReader(bus: Bus): (file: StoredFile) => Promise<ReadableStream<Uint8Array> | null> {
  const buckets = new Map<string, Files>()
  return async ({ bucket, name }) => {
    const files = buckets.get(bucket) ?? (await openFiles(bus, bucket))
    buckets.set(bucket, files)
    return files.read(name)
  }
}
