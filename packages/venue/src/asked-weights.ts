import { hlLeg } from '@svc/contracts/hl-leg'
import { clientOf, isOutage, type Bus, type Clock } from '@svc/service'
import type { WeightClass } from './rules/weights.ts'
import type { Weights } from './venue-client.ts'

/** Classes that strangers can ask for without limit: their questions to hl-leg go one after the other. */
const OF_STRANGERS: ReadonlySet<WeightClass> = new Set(['relays', 'visitors'])
/** Maximum number of questions of such a class that wait; further ones are refused for a second. */
const WAITING_MAX = 32
const SHORT_MS = 1_000

/** Questions of one class: those that wait, and what is known without asking. */
interface Line {
  waiting: number
  last: Promise<unknown>
  /** Weight of this much and more is refused until then. */
  refused: { readonly weight: number; readonly until: Date } | null
  /** hl-leg could not be asked; strangers do not ask it again until then. */
  failed: { readonly error: unknown; readonly until: Date } | null
}

/**
 * Asks hl-leg for weight of a network address. After a refusal for want of weight the class is refused here until its time,
 * and reads for strangers ask one after the other, so that a flood of requests costs hl-leg a few questions a minute.
 */
export function askWeights(
  { bus, clock }: { readonly bus: Bus; readonly clock: Clock },
  who: 'hl-relay' | 'hl-trade',
  egress: string,
): Weights {
  const leg = clientOf(bus, who, hlLeg)
  const lines = new Map<WeightClass, Line>()
  const soon = () => new Date(clock.now().getTime() + SHORT_MS)
  const known = (line: Line, weight: number): Date | null => {
    const { refused, failed } = line
    if (failed !== null && clock.now() < failed.until) throw failed.error
    return refused !== null && weight >= refused.weight && clock.now() < refused.until ? refused.until : null
  }
  const ask = async (line: Line, by: WeightClass, weight: number, atMost: number): Promise<Date | null> => {
    const refusedUntil = known(line, atMost)
    if (refusedUntil !== null) return refusedUntil
    try {
      const { retry_at } = await leg.spendVenueWeight({ egress, class: by, weight, at_most: atMost, asked: false })
      const until = retry_at === null ? null : new Date(retry_at)
      if (until !== null) line.refused = { weight: atMost, until }
      return until
    } catch (error) {
      if (OF_STRANGERS.has(by) && isOutage(error)) line.failed = { error, until: soon() }
      throw error
    }
  }
  return {
    spend: async (by, weight, atMost = weight) => {
      const line = lines.get(by) ?? { waiting: 0, last: Promise.resolve(), refused: null, failed: null }
      lines.set(by, line)
      if (!OF_STRANGERS.has(by)) return ask(line, by, weight, atMost)
      const refusedUntil = known(line, atMost)
      if (refusedUntil !== null) return refusedUntil
      if (line.waiting >= WAITING_MAX) return soon()
      line.waiting += 1
      const turn = line.last.then(() => ask(line, by, weight, atMost)).finally(() => (line.waiting -= 1))
      line.last = turn.catch(() => {})
      return turn
    },
    add: async (by, weight) => {
      await leg.spendVenueWeight({ egress, class: by, weight, asked: true })
      const line = lines.get(by)
      if (weight < 0 && line !== undefined) line.refused = null
    },
  }
}
