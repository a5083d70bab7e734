import { consumerOf, streamOf, type Contract } from '@svc/contract'

/** What one NATS user may do; the shape of nats-server's own configuration. */
export interface Permissions {
  readonly name: string
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
}

/** User that creates streams and consumers. */
export const PROVISIONER = 'provisioner'

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
    const own = Object.keys(contract.events).length > 0 ? [`evt.${contract.name}.>`] : []
    return {
      name: contract.name,
      publish: [
        ...asks,
        ...own,
        ...consumed.flatMap(({ stream, durable }) => [
          `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
          `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
          `$JS.ACK.${stream}.${durable}.>`,
        ]),
      ],
      subscribe: [
        `_INBOX_${contract.name}.>`,
        `rpc.${contract.name}.> ${contract.name}`,
        // The gateway only listens for what its caches must forget; it owns no durable consumer.
        ...(contract.name === 'gateway' ? ['evt.identity.>', 'evt.subscriptions.>'] : []),
      ],
    }
  })
  return [...users, { name: PROVISIONER, publish: ['$JS.API.>'], subscribe: [`_INBOX_${PROVISIONER}.>`] }]
}
