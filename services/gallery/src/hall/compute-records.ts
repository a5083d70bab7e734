import type { Tx } from '@svc/postgres'
import type { Log } from '@svc/service'
import { setImmediate as turn } from 'node:timers/promises'
import { recordErrorOf } from './rules/record-error.ts'
import { recordOf } from './rules/record.ts'
import { readInputs } from './store/inputs.ts'
import { keepGoodRecords, namesOf, storeRecordErrors, storeRecords, type ComputedRecord } from './store/records.ts'

/** Agents of which the facts are in memory at a time. */
const AGENTS_MAX = 50

/** When and for which day a pass computes. */
export interface Pass {
  readonly now: Date
  /** UTC day as text, and as days since 1970-01-01. */
  readonly day: string
  readonly today: number
}

/**
 * Computes and stores the rows of agents, a few at a time. Returns the agents whose row cannot be computed, each of which
 * is logged. Between agents other work of the process has its turn.
 */
export async function computeRecords(
  tx: Tx,
  due: readonly number[],
  { pass, log, signal }: { readonly pass: Pass; readonly log: Log; readonly signal: AbortSignal },
): Promise<readonly number[]> {
  const failed: number[] = []
  const read = (at: number) => {
    const page = readInputs(tx, due.slice(at, at + AGENTS_MAX), pass.today)
    // Handled where it is awaited.
    page.catch(() => {})
    return page
  }
  let next = due.length > 0 ? read(0) : null
  for (let at = AGENTS_MAX; next !== null; at += AGENTS_MAX) {
    signal.throwIfAborted()
    const page = await next
    // The database reads the next page while this one is computed.
    next = at < due.length ? read(at) : null
    const computed: ComputedRecord[] = []
    for (const { version, agent } of page) {
      try {
        computed.push({ agentId: agent.agentId, version, record: recordOf(agent, pass.today) })
      } catch (error) {
        failed.push(agent.agentId)
        log.error({ err: error, agent_id: agent.agentId }, 'the record of an agent cannot be built')
      }
      await turn()
    }
    await storeRecords(tx, computed, pass)
  }
  return failed
}

/** Keeps the good rows of agents whose row cannot be built, or says that there is none. Returns how many of each. */
export async function keepOrAdmit(
  tx: Tx,
  agentIds: readonly number[],
  given: { readonly pass: Pass; readonly keepSince: Date; readonly lastPass: string | null },
): Promise<{ readonly degraded: number; readonly errors: number }> {
  if (agentIds.length === 0) return { degraded: 0, errors: 0 }
  const without = await keepGoodRecords(tx, agentIds, given)
  const errors = (await namesOf(tx, without)).map(({ agent_id: agentId, name, accepts: accepting, version }) => ({
    agentId,
    version,
    record: recordErrorOf({ agentId, name, accepting }, given.pass.today),
  }))
  await storeRecordErrors(tx, errors, given.pass)
  return { degraded: agentIds.length - without.length, errors: errors.length }
}
