import { randomUUID } from 'node:crypto'
import { isOutage } from '@svc/service'
import type { z } from 'zod'
import type { Adapter, OutboundOptions } from './adapter.ts'
import { ClaimTaken, claimOf, Held, type Did } from './held.ts'
import { Rows, type Claim, type RowOf, type Selection } from './rows.ts'

/** How a job fared: effects that were due, those that ended, and those that were sent for the first time. */
export interface Resumed {
  readonly found: number
  readonly ended: number
  readonly sent: number
}

/** The own columns of an effect with its number. */
type Launched<S extends z.ZodObject> = z.output<S> & { readonly id: number }

/** Rows that no job would find for so long were written by a process whose clock was wrong. */
const HORIZON_MS = 3_600_000
/** A caller waits so often, and so long, for another process that works on its row. */
const WAITS = 8
const WAIT_MS = 250

/** Drives the effects of one kind: a caller that follows its own row and the job use the same functions. */
export class Outbound<S extends z.ZodObject> {
  readonly #options: OutboundOptions<S>
  readonly rows: Rows<S>

  constructor(options: OutboundOptions<S>) {
    this.#options = options
    this.rows = new Rows(options.kind)
  }

  async #hold(id: number, adapter: Adapter<RowOf<S>>, isCaller: boolean): Promise<Held<S> | null> {
    const token = randomUUID()
    const claim = claimOf(token, this.#options)
    const row = await this.#options.transaction((tx) => this.rows.claim(tx, id, claim, isCaller))
    return row === null ? null : new Held(this.#options, this.rows, adapter, { token, row })
  }

  /** Works on a row in at most `steps` steps and leaves it. An outage counts as a step; that of the last one is thrown. */
  async #work(held: Held<S>, steps: number): Promise<readonly Did[]> {
    const { clock, pauseMs, kind, log } = this.#options
    const done: Did[] = []
    let isOver = false
    try {
      for (let step = 1; step <= steps && !isOver; step += 1) {
        if (step > 1) await new Promise<void>((resolve) => clock.after(pauseMs, resolve))
        try {
          done.push(await held.step())
          // The first report follows the end at once, whatever steps are left.
          if (done.at(-1) === 'ended') done.push(await held.report())
          // What the neighbours do not acknowledge then is left to the job.
          isOver = held.row.effect_state === 'ended'
        } catch (error) {
          if (!isOutage(error) || step === steps) throw error
          log.warn({ err: error, kind: kind.name, effect: held.row.id }, 'an effect waits for an outage')
        }
      }
    } catch (error) {
      // The claim ends by itself if Postgres is away too.
      await held.leave().catch(() => {})
      if (!(error instanceof ClaimTaken)) throw error
      return done
    }
    if (!done.includes('reported')) await held.leave()
    return done
  }

  /**
   * Follows one row in at most `steps` steps, and returns it as it is then: ended, or left to the job. Null while another process
   * works on it. Rejects with the outage of the last step.
   */
  async drive(id: number, adapter: Adapter<RowOf<S>>, steps: number): Promise<RowOf<S> | null> {
    const held = await this.#hold(id, adapter, true)
    if (held === null) return null
    await this.#work(held, steps)
    return held.row
  }

  /** Returns a claim for rows that this process is about to launch. */
  claim(): Claim {
    return claimOf(randomUUID(), this.#options)
  }

  /**
   * Sends the first copy of an effect that this process has just inserted by `launchOf(claim, …)`, without a statement in between, and
   * follows it as `drive` does. `own`: its own columns. Returns the row as it is then. Rejects with the outage of the last step.
   */
  async launch(own: Launched<S>, { token }: Claim, adapter: Adapter<RowOf<S>>, steps: number): Promise<RowOf<S>> {
    const counted = { effect_state: 'sent', effect_outcome: null, effect_copies: 1, effect_contradictions: 0 }
    const stored = { ...own, ...counted, effect_over_after: null } as RowOf<S>
    const row = { ...stored, effect_over_after: adapter.validUntil(stored) }
    const held = new Held(this.#options, this.rows, adapter, { token, row, isLaunched: true })
    await this.#work(held, steps)
    return held.row
  }

  /**
   * Follows one row as `drive` does, and waits a moment for another process that works on it. Returns the row as it is then. Rejects
   * with the outage of the last step.
   */
  async follow(id: number, adapter: Adapter<RowOf<S>>, steps: number): Promise<RowOf<S>> {
    const { transaction, clock, kind } = this.#options
    for (let wait = 0; ; wait += 1) {
      const driven = await this.drive(id, adapter, steps)
      const row = await transaction((tx) => this.rows.find(tx, id))
      if (row === null) throw new Error(`${kind.name} ${id} is gone`)
      if (driven !== null || row.effect_state === 'ended' || wait === WAITS) return row
      await new Promise<void>((resolve) => clock.after(WAIT_MS, resolve))
    }
  }

  /**
   * Works one step on each due row of a selection, in its order, also on those whose claim has expired. Rejects with the first
   * outage; the other rows wait for the next run.
   */
  async resume(adapter: Adapter<RowOf<S>>, selection: Selection): Promise<Resumed> {
    const { transaction, clock } = this.#options
    const due = await transaction((tx) => this.rows.due(tx, selection, clock.now()))
    let [ended, sent] = [0, 0]
    for (const id of due) {
      const held = await this.#hold(id, adapter, false)
      const done = held === null ? [] : await this.#work(held, 1)
      if (done.includes('ended')) ended += 1
      if (done.includes('sent')) sent += 1
    }
    return { found: due.length, ended, sent }
  }

  /**
   * As `resume`, but an outage of one row is logged and holds up none of the others. Takes up no further row after `signal` has
   * aborted. Returns how many ended.
   */
  async resumeEach(adapter: Adapter<RowOf<S>>, selection: Selection, signal: AbortSignal): Promise<number> {
    const { transaction, clock, log, kind } = this.#options
    let ended = 0
    for (const id of await transaction((tx) => this.rows.due(tx, selection, clock.now()))) {
      if (signal.aborted) break
      try {
        ended += (await this.resume(adapter, this.rows.only(id))).ended
      } catch (error) {
        if (!isOutage(error)) throw error
        log.warn({ err: error, kind: kind.name, effect: id }, 'it is not known yet what became of an effect')
      }
    }
    return ended
  }

  /** Adopts rows of the last release, and makes rows due that no job would find, with an alarm. A run of the job begins with it. */
  async sweep(): Promise<void> {
    const { transaction, clock, kind, log } = this.#options
    const now = clock.now()
    const found = await transaction(async (tx) => {
      await this.rows.adopt(tx)
      return this.rows.sweep(tx, now, new Date(now.getTime() + HORIZON_MS))
    })
    if (found.length > 0)
      log.error(
        { alarm: 'effect_put_off', kind: kind.name, effects: found },
        'effects were due at no time that a job would see',
      )
  }
}
