import type { Context } from '#context.ts'
import { readingsOf } from '#readings/store/readings.ts'
import { hasPosition } from '@svc/venue/rules/reading'
import type { Leg } from './store/legs.ts'

/** Returns those legs that have money out or a position; they are read within the maximum age of a reading. */
export async function busyLegs(
  { pool, money }: Pick<Context, 'pool' | 'money'>,
  legs: readonly Leg[],
): Promise<ReadonlySet<string>> {
  const ids = legs.map(({ publicId }) => publicId)
  if (ids.length === 0) return new Set()
  const held = (await readingsOf(pool, ids)).filter(hasPosition).map(({ publicId }) => publicId)
  return new Set([...held, ...(await money.withMoneyOut(pool, ids))])
}
