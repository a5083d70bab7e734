import type { Tx } from '@svc/postgres'
import { isOutage } from '@svc/service'
import type { z } from 'zod'
import type { Adapter, Ending, Found, OutboundOptions } from './adapter.ts'
import type { Claim, EndBy, RowOf, Rows } from './rows.ts'
import { evidenceOf, raisesAlarm, refusalEnds, type Look } from './rules.ts'

/** What one step did with an effect. */
export type Did = 'sent' | 'ended' | 'reported' | 'waited'

/** Another process has taken the row over, or was faster: what this one was about to store is rolled back. */
export class ClaimTaken extends Error {}

/** Returns the claim of a process, from now on. */
export function claimOf(
  token: string,
  { clock, claimMs }: Pick<OutboundOptions<z.ZodObject>, 'clock' | 'claimMs'>,
): Claim {
  const now = clock.now()
  return { token, now, until: new Date(now.getTime() + claimMs) }
}

/** A row that a process has claimed by its token; `isLaunched`: its first copy is counted and leaves now. */
interface Taken<S extends z.ZodObject> {
  readonly token: string
  readonly row: RowOf<S>
  readonly isLaunched?: boolean
}

/** One effect while this process has claimed it. */
export class Held<S extends z.ZodObject> {
  readonly #options: OutboundOptions<S>
  readonly #rows: Rows<S>
  readonly #adapter: Adapter<RowOf<S>>
  readonly #token: string
  #row: RowOf<S>
  #isLaunched: boolean

  constructor(
    options: OutboundOptions<S>,
    rows: Rows<S>,
    adapter: Adapter<RowOf<S>>,
    { token, row, isLaunched = false }: Taken<S>,
  ) {
    this.#options = options
    this.#rows = rows
    this.#adapter = adapter
    this.#token = token
    this.#row = row
    this.#isLaunched = isLaunched
  }

  get row(): RowOf<S> {
    return this.#row
  }

  get #line() {
    return { kind: this.#options.kind.name, effect: this.#row.id, ...this.#adapter.describe(this.#row) }
  }

  /** Stores a change of the row. Rejects with `ClaimTaken`, and stores nothing, if another process works on it. */
  async #store(change: (tx: Tx, id: number, claim: Claim) => Promise<RowOf<S> | null>): Promise<void> {
    this.#row = await this.#options.transaction(async (tx) => {
      const row = await change(tx, this.#row.id, claimOf(this.#token, this.#options))
      if (row === null) throw new ClaimTaken()
      return row
    })
  }

  /** Does the next thing with the effect: at most one signature, one look-up and one copy. */
  async step(): Promise<Did> {
    if (this.#isLaunched) {
      this.#isLaunched = false
      return (await this.#deliver(null, null)) ?? 'sent'
    }
    if (this.#row.effect_state === 'ended') return this.report()
    return this.#row.effect_state === 'planned' ? this.#begin() : this.#goOn()
  }

  async #begin(): Promise<Did> {
    const planned = await this.#adapter.plan(this.#row)
    if (planned.act === 'wait') return 'waited'
    if (planned.act === 'give_up') return this.#end('give_up', planned.ending)
    const signed = await this.#adapter.sign(this.#row, planned.plan)
    await this.#store(async (tx, id, claim) => ((await signed.store(tx)) ? this.#rows.sign(tx, id, claim) : null))
    // What was signed just now is not at the other side.
    return (await this.#send(null)) ?? 'sent'
  }

  async #goOn(): Promise<Did> {
    const found = await this.#adapter.find(this.#row)
    const judged = await this.#judge(found)
    if (judged !== null) return judged
    const until = this.#adapter.validUntil(this.#row)
    // The other side has a copy, or takes none any more.
    if (found.says !== 'unknown' || (until !== null && this.#adapter.now() > until)) return 'waited'
    const signed = (await this.#adapter.replace?.(this.#row)) ?? null
    if (signed !== null)
      await this.#store(async (tx, id, claim) => ((await signed.store(tx)) ? this.#rows.replace(tx, id, claim) : null))
    return (await this.#send(found)) ?? 'waited'
  }

  /** Ends the effect if a look-up proves its end; counts a contradiction. Null: nothing is proved. */
  async #judge(found: Found): Promise<Did | null> {
    const { effect_copies, effect_over_after } = this.#row
    const evidence = evidenceOf(found, effect_copies === 0 ? this.#adapter.validUntil(this.#row) : effect_over_after)
    if (evidence === 'nothing') return null
    if (evidence !== 'contradiction') return this.#end('prove', await found.endingOf(evidence))
    await this.#store((tx, id, claim) => this.#rows.contradict(tx, id, claim))
    const note = this.#options.onContradiction ?? this.#logContradiction.bind(this)
    note(this.#row.id, this.#row.effect_contradictions)
    return 'waited'
  }

  #logContradiction(_: number, contradictions: number): void {
    const line = { ...this.#line, contradictions }
    if (raisesAlarm(contradictions))
      this.#options.log.error({ alarm: 'effect_contradiction', ...line }, 'look-ups of an effect contradict themselves')
    else this.#options.log.warn(line, 'a look-up contradicts itself')
  }

  /** Counts a copy and sends it. Returns null unless the answer ends the effect. */
  async #send(look: Look | null): Promise<Did | null> {
    const until = this.#adapter.validUntil(this.#row)
    const { effect_over_after: overAfter } = this.#row
    await this.#store((tx, id, claim) => this.#rows.count(tx, id, claim, until))
    return this.#deliver(look, overAfter)
  }

  /** Sends a copy that is counted. `overAfter`: none of the others takes effect later. Returns null unless the answer ends the effect. */
  async #deliver(look: Look | null, overAfter: number | null): Promise<Did | null> {
    const answer = await this.#adapter.send(this.#row)
    const count = this.#row.effect_copies
    if (count === 1 && answer.says !== 'unsent') this.#options.log.info(this.#line, 'effect sent')
    if (answer.says === 'unclear') return null
    if (answer.says === 'done') return this.#end('prove', answer.ending)
    if (answer.says === 'refused' && refusalEnds({ count, overAfter }, answer.look ?? look))
      return this.#end('refuse', answer.ending)
    // The newest copy takes no effect from now on, and the others none after their time.
    const others = count === 1 ? Number.NEGATIVE_INFINITY : overAfter
    const over = others === null ? null : Math.max(others, this.#adapter.now())
    await this.#store((tx, id, claim) => this.#rows.finish(tx, id, claim, over))
    if (answer.says === 'unsent') throw answer.outage
    return null
  }

  async #end(event: EndBy['event'], { store, ...end }: Ending): Promise<Did> {
    const by = { event, end, copies: this.#row.effect_copies, isInformed: this.#adapter.report === undefined }
    await this.#store(async (tx, id, claim) => {
      if ((await this.#rows.end(tx, id, claim, by)) === null) return null
      await store?.(tx)
      return this.#rows.find(tx, id)
    })
    const line = { ...this.#line, outcome: end.outcome, evidence: end.evidence }
    const said = event === 'give_up' ? 'effect not sent' : 'effect ended'
    this.#options.log[end.outcome === 'done' ? 'info' : 'warn'](line, said)
    return 'ended'
  }

  /** Informs the neighbours of the end, and stores that they acknowledged it. What an outage leaves undone is left to the job. */
  async report(): Promise<Did> {
    if (this.#adapter.report === undefined) return 'reported'
    try {
      if (!(await this.#adapter.report(this.#row))) return 'waited'
    } catch (error) {
      if (!isOutage(error)) throw error
      this.#options.log.warn({ err: error, ...this.#line }, 'a neighbour does not know the end of an effect yet')
      return 'waited'
    }
    await this.#store((tx, id, claim) => this.#rows.acknowledge(tx, id, claim))
    return 'reported'
  }

  /** Leaves the row to the next run; does nothing if another process has taken it over, or nothing is left to do. */
  async leave(): Promise<void> {
    const { clock, pauseMs, transaction } = this.#options
    const nextAt = new Date(clock.now().getTime() + pauseMs)
    const claim = claimOf(this.#token, this.#options)
    this.#row = (await transaction((tx) => this.#rows.postpone(tx, this.#row.id, claim, nextAt))) ?? this.#row
  }
}
