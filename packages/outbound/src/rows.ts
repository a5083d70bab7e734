import { instant, named, sql, table, typed, type Row, type Tx } from '@svc/postgres'
import { z } from 'zod'
import { outcomes, states, transitionsOf, type Event, type Outcome } from './states.ts'
import { adoptionOf, type FormerRows } from './template.ts'

/** The shared columns of an effect, which are columns of the table of its kind. */
const effectColumns = {
  id: z.number(),
  effect_state: z.enum(states),
  effect_outcome: z.enum(outcomes).nullable(),
  effect_copies: z.number(),
  effect_over_after: z.number().nullable(),
  effect_contradictions: z.number(),
}

/** A row of an effect: the shared columns and those of its kind. */
export type RowOf<S extends z.ZodObject> = Row<typeof effectColumns> & z.output<S>

/** How an operator ends effects of a kind whose clock shows Unix milliseconds, and of whose end no neighbour is informed. */
export interface ByHand {
  /** The members of the evidence for each outcome that an operator may give, beside `by` and `why`. */
  readonly evidence: Partial<Readonly<Record<Outcome, z.ZodObject>>>
  /** Stores the end in the columns of the kind, in the transaction of the end. Rejects if the kind contradicts it. */
  readonly store: (tx: Tx, id: number, end: End, now: Date) => Promise<void>
}

/** A kind of effects, whose rows are those of one table. */
export interface Kind<S extends z.ZodObject = z.ZodObject> {
  /** Name in metrics, log lines and commands, such as `transaction`. */
  readonly name: string
  /** Table with the shared columns (`migrationOf`). */
  readonly table: string
  /** Column of the table with the number of an effect; default: `id`. */
  readonly idColumn?: string
  /** Own columns of a row that the adapter reads, by their names. */
  readonly row: S
  /** How an operator ends an effect by hand; absent: only the machine ends it. */
  readonly byHand?: ByHand
  /** How rows of the last release are read; absent once no release without the shared columns runs. */
  readonly former?: FormerRows
}

type Fragment = ReturnType<typeof sql.fragment>

/** Which rows a job works on: conditions and an order over the columns of the table. */
export interface Selection {
  readonly where: Fragment
  readonly order: Fragment
  readonly max: number
}

/** A change of the columns of a kind, for the rows that fulfil a condition. */
export interface OwnChange {
  readonly set: Fragment
  readonly where: Fragment
}

/** The process that works on a row: a name that no other has, and until when its claim lasts. */
export interface Claim {
  readonly token: string
  readonly now: Date
  readonly until: Date
}

/** The end of an effect, without the columns of its kind. */
export interface End {
  readonly outcome: Outcome
  readonly evidence: object
}

/** By what an effect ends: while no more than `copies` have been counted. `isInformed`: nobody has to be informed of it. */
export interface EndBy {
  readonly event: 'give_up' | 'refuse' | 'prove' | 'decide'
  readonly end: End
  readonly copies: number
  readonly isInformed: boolean
}

const time = typed('timestamptz', instant)
/**
 * Columns with which a kind inserts effects that leave at once (`launchOf`): with their bytes, their first copy counted, and claimed, all by
 * the same statement. The events `sign`, `count` and `claim` happen together.
 */
export const launchColumns = {
  effectState: z.enum(states),
  effectSince: time,
  effectCopies: typed('int4', z.number()),
  effectOverAfter: typed('int8', z.number()),
  effectClaim: z.string(),
  effectClaimUntil: time,
  effectNextAt: time,
}

/** Returns the values of `launchColumns`. The copy takes effect until `overAfter` at the latest. */
export const launchOf = ({ token, now, until }: Claim, overAfter: number): Row<typeof launchColumns> => ({
  effectState: 'sent',
  effectSince: now,
  effectCopies: 1,
  effectOverAfter: overAfter,
  effectClaim: token,
  effectClaimUntil: until,
  effectNextAt: now,
})

const idRow = z.object({ id: z.number() })
const listRow = z.object({
  id: z.number(),
  effect_state: z.enum(states),
  effect_since: instant,
  effect_copies: z.number(),
  effect_contradictions: z.number(),
  effect_next_at: instant,
  effect_claim_until: instant.nullable(),
})
/** An open effect as an operator sees it. */
export type OpenEffect = z.output<typeof listRow>
const shownRow = z.object({ row: z.record(z.string(), z.unknown()) })
const figureRow = z.object({ state: z.enum(states), count: z.number(), seconds: z.number() })
/** How many effects are open in a state, and for how many seconds the oldest has been in it. */
export type StateFigure = z.output<typeof figureRow>

const space = sql.fragment` `
/** Work is left: the effect has not ended, or the neighbours do not know the end. */
const isOpen = sql.fragment`effect_informed_at IS NULL`
const noClaim = sql.fragment`effect_claim = NULL, effect_claim_until = NULL`
const isFree = (now: Date) => sql.fragment`(effect_claim IS NULL OR effect_claim_until <= ${now.toISOString()})`
const isDue = (now: Date) => sql.fragment`${isOpen} AND effect_next_at <= ${now.toISOString()} AND ${isFree(now)}`
const held = ({ token, until }: Claim) =>
  sql.fragment`effect_claim = ${token}, effect_claim_until = ${until.toISOString()}`

/** The assignments of the state by an event, and the condition that the state allows it. */
function moveBy(event: Event, now: Date): OwnChange {
  const moves = transitionsOf(event)
  const cases = moves.map(({ from, to }) => sql.fragment`WHEN ${from} THEN ${to}`)
  const changed = moves.flatMap(({ from, to }) => (from === to ? [] : [from]))
  const from = moves.map((move) => move.from)
  return {
    set: sql.fragment`effect_state = CASE effect_state ${sql.join(cases, space)} END,
      effect_since = CASE WHEN effect_state = ANY(${sql.array(changed, 'text')})
        THEN ${now.toISOString()}::timestamptz ELSE effect_since END`,
    where: sql.fragment`effect_state = ANY(${sql.array(from, 'text')})`,
  }
}

/** The statements of the effects of a kind. Each changes the state as the table of `states.ts` says, or changes nothing. */
export class Rows<S extends z.ZodObject> {
  readonly #table
  readonly #id
  readonly #row: z.ZodType<RowOf<S>>
  readonly #columns
  readonly #kind: Kind<S>

  constructor(kind: Kind<S>) {
    const { idColumn = 'id' } = kind
    const id = named(idColumn, z.number())
    const { row, list } = table(kind.table, { ...effectColumns, id, ...kind.row.shape })
    this.#kind = kind
    this.#id = sql.identifier([idColumn])
    this.#table = sql.identifier([kind.table])
    this.#row = row as unknown as z.ZodType<RowOf<S>>
    this.#columns = list
  }

  #is(id: number): Fragment {
    return sql.fragment`${this.#id} = ${id}`
  }

  #heldBy(id: number, { token }: Claim): Fragment {
    return sql.fragment`${this.#is(id)} AND effect_claim = ${token}`
  }

  /** Selects one row. */
  only(id: number): Selection {
    return { where: this.#is(id), order: sql.fragment`${this.#id}`, max: 1 }
  }

  /** The statement that changes rows by an event; it returns the changed ones. */
  #change(event: Event, now: Date, { set, where }: OwnChange) {
    const move = moveBy(event, now)
    return sql.type(this.#row)`
      UPDATE ${this.#table} SET ${move.set}, ${set} WHERE ${move.where} AND ${where} RETURNING ${this.#columns}`
  }

  /** Changes a row that a process has claimed, and extends the claim. Null: another process works on it, or its state forbids it. */
  #changeHeld(tx: Tx, event: Event, id: number, claim: Claim, set?: Fragment): Promise<RowOf<S> | null> {
    const sets = set === undefined ? held(claim) : sql.fragment`${set}, ${held(claim)}`
    return tx.maybeOne(this.#change(event, claim.now, { set: sets, where: this.#heldBy(id, claim) }))
  }

  /** Fills the shared columns of rows that the last release changed. */
  async adopt(tx: Tx): Promise<void> {
    const { table, former } = this.#kind
    if (former !== undefined) await tx.query(adoptionOf(table, former))
  }

  /** Returns rows that a job may claim now. */
  due(tx: Tx, { where, order, max }: Selection, now: Date): Promise<readonly number[]> {
    return tx.anyFirst(sql.type(idRow)`
      SELECT ${this.#id} AS id FROM ${this.#table} WHERE ${isDue(now)} AND ${where} ORDER BY ${order} LIMIT ${max}`)
  }

  /** Claims a row; null if another process works on it, or nothing is left to do. A caller need not wait until it is due. */
  claim(tx: Tx, id: number, claim: Claim, isCaller: boolean): Promise<RowOf<S> | null> {
    const when = isCaller ? sql.fragment`${isOpen} AND ${isFree(claim.now)}` : isDue(claim.now)
    const where = sql.fragment`${this.#is(id)} AND ${when}`
    return tx.maybeOne(this.#change('claim', claim.now, { set: held(claim), where }))
  }

  sign(tx: Tx, id: number, claim: Claim): Promise<RowOf<S> | null> {
    return this.#changeHeld(tx, 'sign', id, claim)
  }

  replace(tx: Tx, id: number, claim: Claim): Promise<RowOf<S> | null> {
    return this.#changeHeld(tx, 'replace', id, claim)
  }

  /** Counts a copy that takes effect until `validUntil` at the latest; null: whenever it arrives. */
  count(tx: Tx, id: number, claim: Claim, validUntil: number | null): Promise<RowOf<S> | null> {
    const until = sql.fragment`${validUntil}::bigint`
    const set = sql.fragment`effect_copies = effect_copies + 1, effect_over_after = CASE
      WHEN effect_copies = 0 THEN ${until}
      WHEN effect_over_after IS NULL OR ${until} IS NULL THEN NULL
      ELSE greatest(effect_over_after, ${until}) END`
    return this.#changeHeld(tx, 'count', id, claim, set)
  }

  /** Stores that no counted copy takes effect after `overAfter`, because the other side has finished with the newest one. */
  finish(tx: Tx, id: number, claim: Claim, overAfter: number | null): Promise<RowOf<S> | null> {
    return this.#changeHeld(tx, 'finish', id, claim, sql.fragment`effect_over_after = ${overAfter}::bigint`)
  }

  contradict(tx: Tx, id: number, claim: Claim): Promise<RowOf<S> | null> {
    const set = sql.fragment`effect_contradictions = effect_contradictions + 1`
    return this.#changeHeld(tx, 'contradict', id, claim, set)
  }

  end(tx: Tx, id: number, claim: Claim, { event, end, copies, isInformed }: EndBy): Promise<RowOf<S> | null> {
    const now = claim.now.toISOString()
    const set = sql.fragment`effect_outcome = ${end.outcome}, effect_evidence = ${JSON.stringify(end.evidence)}::json,
      effect_informed_at = ${isInformed ? now : null}, effect_next_at = ${now}, ${isInformed ? noClaim : held(claim)}`
    const where = sql.fragment`${this.#heldBy(id, claim)} AND effect_copies <= ${copies}`
    return tx.maybeOne(this.#change(event, claim.now, { set, where }))
  }

  acknowledge(tx: Tx, id: number, claim: Claim): Promise<RowOf<S> | null> {
    const set = sql.fragment`effect_informed_at = ${claim.now.toISOString()}, ${noClaim}`
    return tx.maybeOne(this.#change('acknowledge', claim.now, { set, where: this.#heldBy(id, claim) }))
  }

  /** Leaves a row until a time. */
  postpone(tx: Tx, id: number, claim: Claim, nextAt: Date): Promise<RowOf<S> | null> {
    const set = sql.fragment`effect_next_at = ${nextAt.toISOString()}, ${noClaim}`
    return tx.maybeOne(this.#change('postpone', claim.now, { set, where: this.#heldBy(id, claim) }))
  }

  /** Makes a row due; null if nothing is left to do with it. */
  retry(tx: Tx, id: number, now: Date): Promise<RowOf<S> | null> {
    const set = sql.fragment`effect_next_at = ${now.toISOString()}`
    return tx.maybeOne(this.#change('retry', now, { set, where: sql.fragment`${this.#is(id)} AND ${isOpen}` }))
  }

  /** Opens rows that ended, because the other side took back what ended them. */
  reorganise(tx: Tx, { set, where }: OwnChange, now: Date): Promise<readonly RowOf<S>[]> {
    const sets = sql.fragment`effect_outcome = NULL, effect_evidence = NULL, effect_informed_at = NULL,
      effect_copies = greatest(effect_copies, 1), effect_next_at = ${now.toISOString()}, ${noClaim}, ${set}`
    return tx.any(this.#change('reorganise', now, { set: sets, where }))
  }

  /** Ends open rows, because the other side exists no longer. */
  lose(tx: Tx, { set, where }: OwnChange, evidence: object, now: Date): Promise<readonly RowOf<S>[]> {
    const sets = sql.fragment`effect_outcome = CASE effect_copies WHEN 0 THEN 'abandoned' ELSE 'expired' END,
      effect_evidence = ${JSON.stringify(evidence)}::json, effect_informed_at = ${now.toISOString()}, ${noClaim}, ${set}`
    return tx.any(this.#change('lose', now, { set: sets, where }))
  }

  /**
   * Makes rows due that are open, and that no job would find before `horizon`: their claim or their time was written by a process
   * whose clock was wrong. Returns their ids.
   */
  sweep(tx: Tx, now: Date, horizon: Date): Promise<readonly number[]> {
    const end = horizon.toISOString()
    return tx.anyFirst(sql.type(idRow)`
      UPDATE ${this.#table} SET effect_next_at = ${now.toISOString()}, ${noClaim}
      WHERE ${isOpen} AND (effect_next_at > ${end} OR effect_claim_until > ${end}) RETURNING ${this.#id} AS id`)
  }

  /** Returns a row; null if there is none. */
  find(tx: Tx, id: number): Promise<RowOf<S> | null> {
    return tx.maybeOne(sql.type(this.#row)`SELECT ${this.#columns} FROM ${this.#table} WHERE ${this.#is(id)}`)
  }

  /** Returns open rows, the oldest first. */
  list(tx: Tx, max: number): Promise<readonly OpenEffect[]> {
    return tx.any(sql.type(listRow)`
      SELECT ${this.#id} AS id, effect_state, effect_since, effect_copies, effect_contradictions, effect_next_at, effect_claim_until
      FROM ${this.#table} WHERE ${isOpen} ORDER BY ${this.#id} LIMIT ${max}`)
  }

  /** Returns the columns of a row without its signed bytes (`body`); null if there is none. */
  show(tx: Tx, id: number): Promise<Readonly<Record<string, unknown>> | null> {
    return tx.maybeOneFirst(
      sql.type(shownRow)`SELECT to_jsonb(t) - 'body' AS row FROM ${this.#table} t WHERE ${this.#is(id)}`,
    )
  }

  /** Returns the figures of each state in which an effect is open. */
  figures(tx: Tx): Promise<readonly StateFigure[]> {
    return tx.any(sql.type(figureRow)`
      SELECT effect_state AS state, count(*)::int AS count,
        greatest(extract(epoch FROM now() - min(effect_since)), 0)::float8 AS seconds
      FROM ${this.#table} WHERE ${isOpen} GROUP BY effect_state`)
  }
}
