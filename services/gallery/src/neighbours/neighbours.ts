import { hlLeg } from '@svc/contracts/hl-leg'
import { hlRelay } from '@svc/contracts/hl-relay'
import { identity } from '@svc/contracts/identity'
import { mandates } from '@svc/contracts/mandates'
import { subscriptions } from '@svc/contracts/subscriptions'
import { clientOf, type Bus } from '@svc/service'

/** The services that gallery asks. Each call rejects with `RemoteRefusal` or `Outage`. */
export type Neighbours = ReturnType<typeof openNeighbours>

/** Opens the clients of other services; asks nothing yet. */
export const openNeighbours = (bus: Bus) => ({
  identity: clientOf(bus, 'gallery', identity),
  mandates: clientOf(bus, 'gallery', mandates),
  relay: clientOf(bus, 'gallery', hlRelay),
  subscriptions: clientOf(bus, 'gallery', subscriptions),
  leg: clientOf(bus, 'gallery', hlLeg),
})
