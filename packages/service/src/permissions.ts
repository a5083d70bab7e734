import { consumerOf, streamOf, streamOfBucket, type Contract } from '@svc/contract'
import { eventInboxOf, inboxOf, STREAMS_API } from './bus.ts'

/** Subjects of another account that an account sees: `service` for messages to it, `stream` for messages from it. */
export interface Import {
  readonly kind: 'service' | 'stream'
  /** Account that has the subjects, as it is named for its service; null: that of the streams. */
  readonly from: string | null
  readonly subject: string
  /** Name of the subject in the account that sees it; default: `subject`. */
  readonly to?: string
  /** A message to it is answered more than once. */
  readonly manyAnswers?: boolean
}

/** Rights of one NATS user, in the shape of nats-server's configuration. */
export interface Permissions {
  readonly name: string
  /** Account of the user; null: that of the streams. */
  readonly account: string | null
  readonly imports: readonly Import[]
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
  return [`${STREAMS_API}.STREAM.INFO.${stream}`, `${STREAMS_API}.STREAM.MSG.GET.${stream}`]
}

function fillsBucket(bucket: string): string[] {
  return [`$O.${bucket}.>`, `${STREAMS_API}.STREAM.PURGE.${streamOfBucket(bucket)}`]
}

/**
 * Returns the events that the gateway hears: those that its caches follow, and those that wake its streams. The gateway has no
 * durable consumer.
 */
function hearsEvents(contracts: readonly Contract[]): readonly string[] {
  const followed = contracts
    .filter(({ name }) => name === 'identity' || name === 'subscriptions')
    .map(({ name }) => `evt.${name}.>`)
  const waking = contracts.flatMap(({ operations }) =>
    Object.values(operations).flatMap(({ service, stream }) =>
      (stream?.wokenBy ?? []).map((event) => `evt.${service}.${event}`),
    ),
  )
  return [...followed, ...new Set(waking.filter((subject) => !subject.startsWith('evt.subscriptions.')))]
}

/** Returns where a subject leads to which a service publishes: requests to the service that answers, all others to the streams. */
function importOf(subject: string): Import {
  if (subject.startsWith('rpc.')) return { kind: 'service', from: subject.split('.')[1] ?? '', subject }
  if (!subject.startsWith(`${STREAMS_API}.`)) return { kind: 'service', from: null, subject }
  const there = `$JS.API${subject.slice(STREAMS_API.length)}`
  const isPull = subject.startsWith(`${STREAMS_API}.CONSUMER.MSG.NEXT.`)
  return { kind: 'service', from: null, subject: there, to: subject, ...(isPull ? { manyAnswers: true } : {}) }
}

const heardFrom = (subject: string): Import => ({ kind: 'stream', from: subject.split('.')[1] ?? '', subject })

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
      ? [`evt.${contract.name}.>`, `${STREAMS_API}.STREAM.INFO.${stream}`, `${STREAMS_API}.CONSUMER.NAMES.${stream}`]
      : []
    const publish = [
      ...asks,
      ...own,
      ...readable.flatMap(readsBucket),
      ...contract.buckets.flatMap(fillsBucket),
      ...consumed.flatMap(({ stream, durable }) => [
        `${STREAMS_API}.CONSUMER.INFO.${stream}.${durable}`,
        `${STREAMS_API}.CONSUMER.MSG.NEXT.${stream}.${durable}`,
        `$JS.ACK.${stream}.${durable}.>`,
      ]),
    ]
    const heard = contract.name === 'gateway' ? hearsEvents(contracts) : []
    return {
      name: contract.name,
      account: contract.name,
      imports: [...publish.map(importOf), ...heard.map(heardFrom)],
      publish,
      subscribe: [
        `${inboxOf(contract.name)}.>`,
        `${eventInboxOf(contract.name)}.>`,
        `rpc.${contract.name}.> ${contract.name}`,
        ...heard,
      ],
      // A service without operations may not answer: the reply subject of an event is where its publisher awaits the stream.
      allowResponses: Object.keys(contract.operations).length > 0,
    }
  })
  return [
    ...users,
    {
      name: PROVISIONER,
      account: null,
      imports: [],
      // Copies are acknowledged and put back piece by piece on subjects beside the API.
      publish: ['$JS.API.>', '$JS.SNAPSHOT.>'],
      subscribe: [`${inboxOf(PROVISIONER)}.>`, `${eventInboxOf(PROVISIONER)}.>`],
      allowResponses: false,
    },
  ]
}
