import { mandates } from '@svc/contracts/mandates'
import { clientOf, type Bus } from '@svc/service'

/** What hl-leg asks of mandates: mandates with their limits, judgements of orders, stops. */
export type MandateClient = ReturnType<typeof openMandateClient>

/** Returns the client of mandates. */
export const openMandateClient = (bus: Bus) => clientOf(bus, 'hl-leg', mandates)
