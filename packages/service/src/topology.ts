import { isDeepStrictEqual } from 'node:util'
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { consumerOf, streamOf, streamOfBucket, type Contract } from '@svc/contract'

const NANOS = 1_000_000
const DUPLICATE_WINDOW_MS = 10 * 60_000
const ACK_WAIT_MS = 10_000
const CONSUMER_NOT_FOUND = 10_014
const STREAM_NOT_FOUND = 10_059

/** Settings of a stream of events that decide what it keeps, in the shape of JetStream. */
export const streamConfig = (name: string, subjects: readonly string[]) => ({
  name,
  subjects: [...subjects],
  // Events are deleted once every consumer has read them, and events without a consumer are not stored: junk cannot
  // pile up.
  retention: RetentionPolicy.Interest,
  storage: StorageType.File,
  // A full stream rejects new events, and the outbox keeps them. Discarding the oldest would lose unread events.
  discard: DiscardPolicy.New,
  max_age: 0,
  duplicate_window: DUPLICATE_WINDOW_MS * NANOS,
})

/** Settings of a durable consumer, in the shape of JetStream. */
export const consumerConfig = (durable: string, subject: string) => ({
  durable_name: durable,
  filter_subject: subject,
  ack_policy: AckPolicy.Explicit,
  deliver_policy: DeliverPolicy.All,
  ack_wait: ACK_WAIT_MS * NANOS,
  max_deliver: -1,
  max_ack_pending: 1_000,
})

/** Settings of the stream behind a bucket of a contract, in the shape of JetStream. */
export const bucketConfig = ({ filesKeptSec }: Contract) => ({
  // A full bucket accepts no files from any service, so files that are generated for each request must expire.
  max_age: (filesKeptSec ?? 0) * 1_000 * NANOS,
})

/** What a service needs on NATS: a stream of events or files, or a consumer (`consumer` is then its name). */
export interface Need {
  readonly stream: string
  readonly consumer: string | null
  /** Settings that it must have. */
  readonly config: Readonly<Record<string, unknown>>
}

/** Returns the stream, the buckets and the consumers that a service publishes to, fills and reads. */
export function needsOf(contract: Contract): readonly Need[] {
  const { name, events, buckets, consumes } = contract
  const stream = streamOf(name)
  const own = { stream, consumer: null, config: streamConfig(stream, [`evt.${name}.>`]) }
  return [
    ...(Object.keys(events).length === 0 ? [] : [own]),
    ...buckets.map((bucket) => ({ stream: streamOfBucket(bucket), consumer: null, config: bucketConfig(contract) })),
    ...consumes.map((consumed) => {
      const [publisher = '', event = ''] = consumed.split('.')
      const consumer = consumerOf(name, event)
      return { stream: streamOf(publisher), consumer, config: consumerConfig(consumer, `evt.${consumed}`) }
    }),
  ]
}

/** Returns the names of the settings that a stream or consumer must have and that are others. */
export function differences(config: Need['config'], found: object): string[] {
  const values = found as Readonly<Record<string, unknown>>
  // The server leaves out a setting that is nothing.
  return Object.keys(config).filter((key) => !isDeepStrictEqual(values[key] ?? 0, config[key]))
}

/** Returns true if JetStream says that a consumer or stream does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof JetStreamApiError && (error.code === CONSUMER_NOT_FOUND || error.code === STREAM_NOT_FOUND)
