import { SettingError } from '@svc/contract'
import type { Pool } from '@svc/postgres'
import { z } from 'zod'
import { outcomes, type Outcome } from './states.ts'
import { Rows, type Kind } from './rows.ts'

/** What an operator gives as the end of an effect. */
export interface GivenEnd {
  readonly outcome: string
  /** JSON with `by`, `why` and what proves the outcome. */
  readonly evidence: string
}

/** Who ends it, and why they are certain. */
const always = { by: z.string().min(2).max(100), why: z.string().min(10).max(500) }
/** Outcomes by which something took effect. */
const HAPPENED: ReadonlySet<Outcome> = new Set(['done', 'partial'])

/**
 * Ends an effect by an operator's evidence, which is stored in its row. Refuses while a process works on it, an outcome by which nothing
 * happened while a copy may still take effect, and evidence that is not complete.
 */
export async function endByHand(pool: Pool, kind: Kind, id: number, given: GivenEnd, now: Date): Promise<void> {
  const name = `${kind.name}-${id}`
  const { byHand } = kind
  if (byHand === undefined)
    throw new SettingError(`${name} cannot be ended by hand: only the machine ends effects of its kind.`)
  const outcome = outcomes.find((one) => one === given.outcome)
  const schema = outcome === undefined ? undefined : byHand.evidence[outcome]
  if (outcome === undefined || schema === undefined)
    throw new SettingError(`Use one of the outcomes ${Object.keys(byHand.evidence).join(', ')} for ${name}.`)
  const evidence = evidenceOf(schema, given.evidence)
  const rows = new Rows(kind)
  await pool.transaction(async (tx) => {
    const claim = { token: `by hand ${now.toISOString()}`, now, until: now }
    const row = await rows.claim(tx, id, claim, true)
    if (row === null) throw new SettingError(`${name} does not exist, is not open, or a process works on it.`)
    const { effect_over_after: over, effect_copies: copies } = row
    if (!HAPPENED.has(outcome) && (over === null || over >= now.getTime()))
      throw new SettingError(
        `A copy of ${name} may still take effect${over === null ? '' : ` until ${new Date(over).toISOString()}`}.`,
      )
    const end = { outcome, evidence }
    const ended = await rows.end(tx, id, claim, { event: 'decide', end, copies, isInformed: true })
    if (ended === null)
      throw new SettingError(`${name} has no bytes, so nothing is at the other side: only the machine gives it up.`)
    await byHand.store(tx, id, end, now)
  })
}

/** Returns the evidence that an operator gave; it has exactly the members that prove the outcome. */
function evidenceOf(schema: z.ZodObject, text: string): Readonly<Record<string, unknown>> {
  const whole = z.strictObject({ ...always, ...schema.shape })
  const parsed = whole.safeParse(jsonOf(text))
  if (!parsed.success)
    throw new SettingError(
      `The evidence is JSON with ${Object.keys(whole.shape).join(', ')}: ${z.prettifyError(parsed.error)}`,
    )
  return parsed.data
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
