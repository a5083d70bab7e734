import {
  AckPolicy,
  JetStreamApiError,
  jetstreamManager,
  DeliverPolicy,
  RetentionPolicy,
  StorageType,
  DiscardPolicy,
} from '@nats-io/jetstream'
import { Objm } from '@nats-io/obj'
import { streamOfBucket, type Contract } from '@svc/contract'
import type { Bus } from './bus.ts'
import { topology } from './events.ts'

const NANOS = 1_000_000
const STREAM_NOT_FOUND = 10_059
const DUPLICATE_WINDOW_MS = 10 * 60_000
const ACK_WAIT_MS = 10_000
const MAX_BYTES = 1024 * 1024 * 1024
const BUCKET_MAX_BYTES = 4 * MAX_BYTES

/** Returns the bytes that a server must have for the streams and buckets of these contracts, which reserve their limits. */
export const reservedBytes = (contracts: readonly Contract[]): number =>
  topology(contracts).streams.length * MAX_BYTES + contracts.flatMap(({ buckets }) => buckets).length * BUCKET_MAX_BYTES

/**
 * Creates or updates the streams, buckets and durable consumers of all contracts. Services may not do so; a deployment
 * runs this once before they start. Rejects if the server ignored a setting.
 */
export async function provision(
  bus: Bus,
  contracts: readonly Contract[],
  replicas = 1,
): Promise<{ streams: number; consumers: number }> {
  const manager = await jetstreamManager(bus.connection, { checkAPI: false, timeout: 10_000 })
  const { streams, consumers } = topology(contracts)
  for (const { name, subjects } of streams) {
    const config = {
      name,
      subjects,
      // Events are deleted once every consumer has read them, and events without a consumer are not stored: junk cannot
      // pile up.
      retention: RetentionPolicy.Interest,
      storage: StorageType.File,
      // A full stream rejects new events, and the outbox keeps them. Discarding the oldest would lose unread events.
      discard: DiscardPolicy.New,
      max_bytes: MAX_BYTES,
      duplicate_window: DUPLICATE_WINDOW_MS * NANOS,
      num_replicas: replicas,
    }
    const known = await manager.streams.info(name).catch(() => null)
    if (known !== null && known.config.retention !== config.retention)
      throw new Error(
        `${name} keeps events by ${known.config.retention}: let its consumers finish, delete it, provision again`,
      )
    const info = known === null ? await manager.streams.add(config) : await manager.streams.update(name, config)
    if (info.config.duplicate_window !== config.duplicate_window)
      throw new Error(`nats-server ignored duplicate_window on ${name}: use nats-server 2.12 or newer`)
  }
  for (const { stream, durable, subject } of consumers) {
    await manager.consumers.add(stream, {
      durable_name: durable,
      filter_subject: subject,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: ACK_WAIT_MS * NANOS,
      max_deliver: -1,
      max_ack_pending: 1_000,
    })
  }
  const objects = new Objm(bus.connection)
  for (const { buckets, filesKeptSec } of contracts)
    for (const bucket of buckets) {
      const stream = streamOfBucket(bucket)
      if ((await manager.streams.info(stream).catch(() => null)) === null)
        await objects.create(bucket, { storage: StorageType.File, replicas, max_bytes: BUCKET_MAX_BYTES })
      // A full bucket accepts no files from any service, so files that are generated for each request must expire.
      await manager.streams.update(stream, {
        max_age: (filesKeptSec ?? 0) * 1_000 * NANOS,
        num_replicas: replicas,
      })
    }
  return { streams: streams.length, consumers: consumers.length }
}

/**
 * Deletes the streams of events of all contracts with their consumers; buckets stay. `provision` creates them again, without
 * memory of the ids that they have seen. Needed after the database was restored to an earlier moment: its outboxes publish
 * again what the old streams would drop as duplicates.
 */
export async function dropStreams(bus: Bus, contracts: readonly Contract[]): Promise<void> {
  const manager = await jetstreamManager(bus.connection, { checkAPI: false, timeout: 10_000 })
  for (const { name } of topology(contracts).streams)
    if ((await manager.streams.info(name).catch(ifMissing)) !== null) await manager.streams.delete(name)
}

function ifMissing(error: unknown): null {
  if (error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND) return null
  throw error
}
