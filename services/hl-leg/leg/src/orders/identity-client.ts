import { identity } from '@svc/contracts/identity'
import { clientOf, type Bus } from '@svc/service'

/** What hl-leg asks of identity: signatures of receipts. */
export type IdentityClient = ReturnType<typeof openIdentityClient>

/** Returns the client of identity. */
export const openIdentityClient = (bus: Bus) => clientOf(bus, 'hl-leg', identity)
