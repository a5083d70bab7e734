import { consumerOf, streamOf, streamOfBucket, type Contract } from '@svc/contract'
import { eventInboxOf, inboxOf } from './bus.ts'

/** What one NATS user may do; the shape of nats-server's own configuration. */
export interface Permissions {
  readonly name: string
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
  /** It may answer a request it received, once. */
  readonly allowResponses: boolean
}

/** User that creates streams and consumers. */
export const PROVISIONER = 'provisioner'

/**
 * Looking at a bucket and reading a file piece by piece. No consumers and no direct get: with those JetStream sends what
 * is stored, bare, to whatever subject the request names, also another service's event or inbox.
 */
function readsBucket(bucket: string): string[] {
  const stream = streamOfBucket(bucket)
  return [`$JS.API.STREAM.INFO.${stream}`, `$JS.API.STREAM.MSG.GET.${stream}`]
}

function fillsBucket(bucket: string): string[] {
  return [`$O.${bucket}.>`, `$JS.API.STREAM.PURGE.${streamOfBucket(bucket)}`]
}

/** Besides what its caches must forget, the gateway hears what wakes its streams; it owns no durable consumer. */
function wakesStreams(contracts: readonly Contract[]): string[] {
  const events = contracts.flatMap(({ operations }) =>
    Object.values(operations).flatMap(({ service, stream }) =>
      (stream?.wokenBy ?? []).map((event) => `evt.${service}.${event}`),
    ),
  )
  return [...new Set(events)].filter((subject) => !subject.startsWith('evt.subscriptions.'))
}

/**
 * Least privilege per service, derived from the contracts: a service may answer its own subjects,
 * ask what declares it as a caller, publish its own events, and pull and acknowledge what it consumes.
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
    const own = Object.keys(contract.events).length > 0 ? [`evt.${contract.name}.>`] : []
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
      // Who answers nothing may not do so: what an event names as its reply is where its publisher awaits the stream.
      allowResponses: Object.keys(contract.operations).length > 0,
    }
  })
  return [
    ...users,
    {
      name: PROVISIONER,
      publish: ['$JS.API.>'],
      subscribe: [`${inboxOf(PROVISIONER)}.>`, `${eventInboxOf(PROVISIONER)}.>`],
      allowResponses: false,
    },
  ]
}
