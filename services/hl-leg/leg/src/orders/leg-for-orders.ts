import { refuse } from '@svc/contract'
import { legRefusals, notConfigured } from '@svc/contracts/hl-leg/refusals'
import type { Context } from '#context.ts'
import { readLeg, type Leg } from '#legs/store/legs.ts'

/** States in which closes are still tried: the venue decides whether the key may. */
const CLOSABLE: readonly string[] = ['revoked', 'expired', 'unsupported']

/**
 * Returns the leg that an order of a mandate goes to. Refuses unless it is bound; an order that only reduces is tried in
 * every state in which the key could still be good.
 */
export async function legForOrders(
  { pool, seed, venue }: Pick<Context, 'pool' | 'seed' | 'venue'>,
  publicId: string,
  { closing }: { readonly closing: boolean },
): Promise<Leg> {
  if (seed === null) refuse(notConfigured)
  const leg = await readLeg(pool, publicId)
  if (leg === null || leg.network !== venue.network) refuse(legRefusals.none)
  if (leg.state === 'bound' || (closing && CLOSABLE.includes(leg.state))) return leg
  return refuse(legRefusals[leg.state])
}
