import { jetstreamManager, StorageType, type JetStreamManager } from '@nats-io/jetstream'
import { Objm } from '@nats-io/obj'
import { streamOfBucket, type Contract } from '@svc/contract'
import type { Bus } from './bus.ts'
import { topology } from './events.ts'
import { bucketConfig, consumerConfig, differences, isMissing, streamConfig } from './topology.ts'

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
    const config = { ...streamConfig(name, subjects), max_bytes: MAX_BYTES, num_replicas: replicas }
    const known = await manager.streams.info(name).catch(() => null)
    if (known !== null && known.config.retention !== config.retention)
      throw new Error(
        `${name} keeps events by ${known.config.retention}: let its consumers finish, delete it, provision again`,
      )
    const info = known === null ? await manager.streams.add(config) : await manager.streams.update(name, config)
    if (info.config.duplicate_window !== config.duplicate_window)
      throw new Error(`nats-server ignored duplicate_window on ${name}: use nats-server 2.12 or newer`)
  }
  for (const { stream, durable, subject } of consumers)
    await provisionConsumer(manager, stream, consumerConfig(durable, subject))
  const objects = new Objm(bus.connection)
  for (const contract of contracts)
    for (const bucket of contract.buckets) {
      const stream = streamOfBucket(bucket)
      if ((await manager.streams.info(stream).catch(() => null)) === null)
        await objects.create(bucket, { storage: StorageType.File, replicas, max_bytes: BUCKET_MAX_BYTES })
      await manager.streams.update(stream, { ...bucketConfig(contract), num_replicas: replicas })
    }
  return { streams: streams.length, consumers: consumers.length }
}

/** Creates a consumer, or has an existing one be as its contract says and deliver. */
async function provisionConsumer(
  manager: JetStreamManager,
  stream: string,
  config: ReturnType<typeof consumerConfig>,
): Promise<void> {
  const name = config.durable_name
  const known = await manager.consumers.info(stream, name).catch(ifMissing)
  if (known === null) return void (await manager.consumers.add(stream, config))
  if (known.paused === true) await manager.consumers.resume(stream, name)
  const differs = differences(config, known.config)
  if (differs.length === 0) return
  await manager.consumers.update(stream, name, config).catch((error: unknown) => {
    throw new Error(
      `${stream}/${name} differs in ${differs.join(', ')} and cannot be changed: delete it, then run repair-streams`,
      {
        cause: error,
      },
    )
  })
}

/** Throws while a service waits for events: what it reads of streams that are made again, it would ignore or do twice. */
export async function refuseReaders(bus: Bus, contracts: readonly Contract[]): Promise<void> {
  const manager = await jetstreamManager(bus.connection, { checkAPI: false, timeout: 10_000 })
  for (const { stream, durable } of topology(contracts).consumers) {
    const known = await manager.consumers.info(stream, durable).catch(ifMissing)
    if ((known?.num_waiting ?? 0) > 0) throw new Error(`${durable} of ${stream} is read: stop all services first`)
  }
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
  if (isMissing(error)) return null
  throw error
}
