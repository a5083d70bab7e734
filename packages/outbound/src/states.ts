/** States of an effect. Only stored bytes leave: `signed` has bytes of which no copy has left, `sent` has counted copies. */
export const states = ['planned', 'signed', 'sent', 'ended'] as const
export type State = (typeof states)[number]

/** States of an effect that has not ended. */
export const openStates = ['planned', 'signed', 'sent'] as const satisfies readonly State[]

/**
 * How an effect ended.
 * - `done`: it happened; `partial`: a part of it happened.
 * - `refused`: the other side refused it, and nothing happened.
 * - `expired`: its time passed, and nothing happened.
 * - `replaced`: something else took its place at the other side, such as another transaction with its nonce.
 * - `abandoned`: it was given up before any copy left.
 */
export const outcomes = ['done', 'partial', 'refused', 'expired', 'replaced', 'abandoned'] as const
export type Outcome = (typeof outcomes)[number]

/**
 * What may happen to an effect.
 * - `claim`: a process begins to work on it. `postpone`: the process leaves it until a later time. `retry`: an operator makes it due.
 * - `give_up`: it is ended before any copy left.
 * - `sign`: its first bytes are stored. `replace`: bytes are stored that take the place of the former ones.
 * - `count`: a copy is counted, and leaves afterwards. `finish`: the other side has finished with the newest copy.
 * - `refuse`: the refusal of a copy ends it (`refusalEnds`). `prove`: a look-up ends it (`evidenceOf`).
 * - `decide`: an operator ends it by evidence of their own.
 * - `contradict`: a look-up contradicts itself.
 * - `reorganise`: the other side takes back what ended it. `lose`: the other side exists no longer.
 * - `acknowledge`: the neighbours know its end.
 */
export const events = [
  'claim',
  'postpone',
  'retry',
  'give_up',
  'sign',
  'replace',
  'count',
  'finish',
  'refuse',
  'prove',
  'decide',
  'contradict',
  'reorganise',
  'lose',
  'acknowledge',
] as const
export type Event = (typeof events)[number]

/** The state after an event, or why the event cannot happen in that state. */
export type Entry = { readonly to: State } | { readonly never: string }

const to = (state: State): Entry => ({ to: state })
const never = (reason: string): Entry => ({ never: reason })

const noBytes = 'there are no bytes, so nothing is at the other side'
const bytesStay = 'the bytes are stored, and only "replace" stores others'
const noCopy = 'no copy has left, so none can be refused or finished with'
const copyLeft = 'a copy may have left, so only evidence ends the effect'
const endStays = 'the first end stays'
const nothingLeaves = 'nothing is signed or sent after the end'
const notEnded = 'nothing has ended yet'

/** Each pair of a state and an event. The statements of `rows.ts` are built from this table. */
export const table: Readonly<Record<State, Readonly<Record<Event, Entry>>>> = {
  planned: {
    claim: to('planned'),
    postpone: to('planned'),
    retry: to('planned'),
    give_up: to('ended'),
    sign: to('signed'),
    replace: never(noBytes),
    count: never(noBytes),
    finish: never(noBytes),
    refuse: never(noBytes),
    prove: never(noBytes),
    decide: never(noBytes),
    contradict: never(noBytes),
    reorganise: never(notEnded),
    lose: to('ended'),
    acknowledge: never(notEnded),
  },
  signed: {
    claim: to('signed'),
    postpone: to('signed'),
    retry: to('signed'),
    give_up: to('ended'),
    sign: never(bytesStay),
    replace: to('signed'),
    count: to('sent'),
    finish: never(noCopy),
    refuse: never(noCopy),
    // Something else may have taken its place, and a database that was restored has forgotten the copies that left.
    prove: to('ended'),
    decide: to('ended'),
    contradict: to('signed'),
    reorganise: never(notEnded),
    lose: to('ended'),
    acknowledge: never(notEnded),
  },
  sent: {
    claim: to('sent'),
    postpone: to('sent'),
    retry: to('sent'),
    give_up: never(copyLeft),
    sign: never(bytesStay),
    replace: to('sent'),
    count: to('sent'),
    finish: to('sent'),
    refuse: to('ended'),
    prove: to('ended'),
    decide: to('ended'),
    contradict: to('sent'),
    reorganise: never(notEnded),
    lose: to('ended'),
    acknowledge: never(notEnded),
  },
  ended: {
    // What is left to do is the report to the neighbours.
    claim: to('ended'),
    postpone: to('ended'),
    retry: to('ended'),
    give_up: never(endStays),
    sign: never(nothingLeaves),
    replace: never(nothingLeaves),
    count: never(nothingLeaves),
    finish: never(endStays),
    refuse: never(endStays),
    prove: never(endStays),
    decide: never(endStays),
    contradict: never(endStays),
    reorganise: to('sent'),
    lose: never(endStays),
    acknowledge: to('ended'),
  },
}

/** Returns the states in which an event may happen, with the state after it. */
export function transitionsOf(event: Event): readonly { readonly from: State; readonly to: State }[] {
  return states.flatMap((from) => {
    const entry = table[from][event]
    return 'to' in entry ? [{ from, to: entry.to }] : []
  })
}
