/**
 * Two rules that decide when an effect outside has ended: an order, a payment, a transaction. Its signed bytes are stored and may
 * leave several times, and the other side lets at most one copy take effect. Everything here is pure.
 *
 * Points in time are numbers of one clock that the caller chooses: Unix milliseconds, or for a transaction the number of final
 * transactions of its account.
 */

/**
 * What the other side says of an effect when it is asked for it.
 * - `unknown`: it knows nothing of the effect.
 * - `open`: the effect may still happen.
 * - `done`: it happened.
 * - `ended`: nothing more will happen; what did happen is what the other side lists as executed.
 * - `refused`: nothing happened, and nothing will.
 */
export type Word = 'unknown' | 'open' | 'done' | 'ended' | 'refused'

/** One look-up of an effect at the other side. */
export interface Look {
  /** When the look-up began. */
  readonly began: number
  readonly says: Word
  /** True if the other side lists anything as executed. */
  readonly executed: boolean
}

/**
 * What a look-up proves.
 * - `done`: something was executed; how much is what the other side lists.
 * - `not_done`: nothing was executed, and nothing will be.
 * - `nothing`: it proves nothing yet.
 * - `contradiction`: the answer contradicts itself, so it proves nothing. Count it, and look again.
 */
export type Evidence = 'done' | 'not_done' | 'nothing' | 'contradiction'

/**
 * Returns what a look-up proves. A look-up is evidence and silence is not: an effect that the other side does not know, or lists
 * as ended without an execution, is not done only if the look-up began after `overAfter`, the time after which no copy takes effect
 * and every execution is listed. Null: that time never comes. A `done` without an execution never ends an effect.
 */
export function evidenceOf({ began, says, executed }: Look, overAfter: number | null): Evidence {
  const isOver = overAfter !== null && began > overAfter
  switch (says) {
    case 'open':
      return 'nothing'
    case 'done':
      return executed ? 'done' : 'contradiction'
    case 'ended':
      return executed ? 'done' : isOver ? 'not_done' : 'nothing'
    case 'refused':
      return executed ? 'contradiction' : 'not_done'
    case 'unknown':
      return executed ? 'contradiction' : isOver ? 'not_done' : 'nothing'
  }
}

/** Copies of the stored bytes of an effect. */
export interface Copies {
  /** How many have left or may have left, with the one that was refused. Each is counted in a committed statement before it leaves. */
  readonly count: number
  /** The time after which none of the others takes effect; null: that time never comes. */
  readonly overAfter: number | null
}

/**
 * Returns true if the refusal of a copy ends its effect: no other copy may still take effect. Either it was the only copy, or every
 * other copy is past its time and `look`, which began afterwards, proves that nothing was executed. `look` is null without one.
 */
export function refusalEnds({ count, overAfter }: Copies, look: Look | null): boolean {
  return count === 1 || (look !== null && evidenceOf(look, overAfter) === 'not_done')
}

/** An alarm is raised after so many look-ups of an effect that contradict themselves, and after each further so many. */
export const LOOKS_BEFORE_ALARM = 10

/** Returns true if the newest of `contradictions` look-ups that contradict themselves raises an alarm. */
export const raisesAlarm = (contradictions: number): boolean =>
  contradictions > 0 && contradictions % LOOKS_BEFORE_ALARM === 0
