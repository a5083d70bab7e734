import { jetstreamManager } from '@nats-io/jetstream'
import type { Contract } from '@svc/contract'
import { topology, type Bus } from '@svc/service'

/** Counts the pending and unacknowledged events of each durable consumer of the contracts, by `<stream>/<consumer>`. `bus` needs the rights of the provisioner. */
export async function consumerLag(bus: Bus, contracts: readonly Contract[]): Promise<Readonly<Record<string, number>>> {
  const { consumers } = await jetstreamManager(bus.connection, { checkAPI: false })
  const lags = topology(contracts).consumers.map(async ({ stream, durable }) => {
    const { num_pending, num_ack_pending } = await consumers.info(stream, durable)
    return [`${stream}/${durable}`, num_pending + num_ack_pending] as const
  })
  return Object.fromEntries(await Promise.all(lags))
}
