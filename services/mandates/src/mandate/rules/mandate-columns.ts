import { mandateState, stateCause } from '@svc/contracts/mandates/fields'
import { z } from 'zod'

const instant = z.string().transform((text) => new Date(text))

/** Columns of a mandate that `Mandate` has as they are, by their names there. */
export const mandateColumns = {
  id: z.number(),
  publicId: z.string(),
  state: mandateState,
  stateCause: stateCause.nullable(),
  stateSince: instant,
  name: z.string(),
  acceptedAt: instant.nullable(),
  stoppedInRecordAt: instant.nullable(),
  createdAt: instant,
  changedAt: instant,
  expiresAt: instant.nullable(),
}
/** The values of `mandateColumns`. */
export type MandateValues = z.output<z.ZodObject<typeof mandateColumns>>
