import { isOutage } from '@svc/service'
import type { Context } from '#context.ts'
import type { WeightClass } from '@svc/venue/rules/weights'

/** A context whose venue has been paid for requests of the next seconds. */
export interface PaidContext {
  readonly context: Context
  /** Gives back what they did not use; nobody waits for it. */
  giveBack(): void
}

/**
 * Pays for requests of one class in one round trip. If their weight, or the database, is not to be had, the context is the one
 * given, and each request pays for itself.
 */
export async function payAhead(context: Context, by: WeightClass, weight: number): Promise<PaidContext> {
  try {
    const { venue, giveBack } = await context.venue.prepay(by, weight)
    return {
      // Not a copy: members of a context may be looked up at each use.
      context: Object.create(context, { venue: { value: venue } }) as Context,
      // What a database that is away forgets, stops counting after a minute.
      giveBack: () => void giveBack().catch(() => {}),
    }
  } catch (error) {
    if (!isOutage(error)) throw error
    return { context, giveBack: () => {} }
  }
}
