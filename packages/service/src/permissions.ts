import { consumerOf, streamOf, streamOfBucket, type Contract } from '@svc/contract'
import { eventInboxOf, inboxOf } from './bus.ts'

/** Rights of one NATS user, in the shape of nats-server's configuration. */
export interface Permissions {
  readonly name: string
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
  /** The user may answer each received request once. */
  readonly allowResponses: boolean
}

/** User that creates streams and consumers, copies them and puts copies back. */
export const PROVISIONER = 'provisioner'

/**
 * Rights to inspect a bucket and to read a file piece by piece. No consumers and no direct get: with those JetStream sends
 * stored content, without a wrapper, to any subject that the request names, such as another service's event or inbox.
 */
function readsBucket(bucket: string): string[] {
  const stream = streamOfBucket(bucket)
  return [`$JS.API.STREAM.INFO.${stream}`, `$JS.API.STREAM.MSG.GET.${stream}`]
}

function fillsBucket(bucket: string): string[] {
  return [`$O.${bucket}.>`, `$JS.API.STREAM.PURGE.${streamOfBucket(bucket)}`]
}

/**
 * Returns the events that wake the gateway's streams, except those that its caches follow anyway; the gateway has no
 * durable consumer.
 */
function wakesStreams(contracts: readonly Contract[]): string[] {
  const events = contracts.flatMap(({ operations }) =>
    Object.values(operations).flatMap(({ service, stream }) =>
      (stream?.wokenBy ?? []).map((event) => `evt.${service}.${event}`),
    ),
  )
  return [...new Set(events)].filter((subject) => !subject.startsWith('evt.subscriptions.'))
}

/**
 * Returns the least privileges of each service, derived from the contracts: a service may answer requests on its own
 * subjects, call operations that list it as a caller, publish its own events, and pull and acknowledge the events that
 * it consumes.
 */
export function permissionsOf(contracts: readonly Contract[]): Permissions[] {
  const users = contracts.map((contract): Permissions => {
    const asks = contracts.flatMap((target) =>
      Object.values(target.operations)
        .filter((operation) =>
          operation.auth === 'service'
            ? operation.callers?.includes(contract.name) === true
            : contract.name === 'gateway',
        )
        .map((operation) => `rpc.${target.name}.${contract.name}.${operation.key}`),
    )
    const consumed = contract.consumes.map((name) => {
      const [service = '', event = ''] = name.split('.')
      return { stream: streamOf(service), durable: consumerOf(contract.name, event) }
    })
    const readable = contract.name === 'gateway' ? contracts.flatMap(({ buckets }) => buckets) : contract.buckets
    const publishes = Object.keys(contract.events).length > 0
    const stream = streamOf(contract.name)
    // The names of the consumers of its stream show a publisher that one is missing.
    const own = publishes
      ? [`evt.${contract.name}.>`, `$JS.API.STREAM.INFO.${stream}`, `$JS.API.CONSUMER.NAMES.${stream}`]
      : []
    return {
      name: contract.name,
      publish: [
        ...asks,
        ...own,
        ...readable.flatMap(readsBucket),
        ...contract.buckets.flatMap(fillsBucket),
        ...consumed.flatMap(({ stream, durable }) => [
          `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
          `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
          `$JS.ACK.${stream}.${durable}.>`,
        ]),
      ],
      subscribe: [
        `${inboxOf(contract.name)}.>`,
        `${eventInboxOf(contract.name)}.>`,
        `rpc.${contract.name}.> ${contract.name}`,
        ...(contract.name === 'gateway' ? ['evt.identity.>', 'evt.subscriptions.>', ...wakesStreams(contracts)] : []),
      ],
      // A service without operations may not answer: the reply subject of an event is where its publisher awaits the stream.
      allowResponses: Object.keys(contract.operations).length > 0,
    }
  })
  return [
    ...users,
    {
      name: PROVISIONER,
      // Copies are acknowledged and put back piece by piece on subjects beside the API.
      publish: ['$JS.API.>', '$JS.SNAPSHOT.>'],
      subscribe: [`${inboxOf(PROVISIONER)}.>`, `${eventInboxOf(PROVISIONER)}.>`],
      allowResponses: false,
    },
  ]
}
