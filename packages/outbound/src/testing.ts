import type { Tx } from '@svc/postgres'
import { isOutage, Outage, type Clock } from '@svc/service'
import fc from 'fast-check'
import type { z } from 'zod'
import type { Adapter } from './adapter.ts'
import type { Outbound } from './outbound.ts'
import type { RowOf } from './rows.ts'

/** How the other side treats a copy that is sent to it. */
const sendFaults = ['none', 'answer lost', 'late', 'lost', 'refused', 'busy', 'refused after a look'] as const
/** How the other side answers a look-up. */
const lookFaults = ['none', 'outage', 'contradiction', 'not listed yet'] as const
export type SendFault = (typeof sendFaults)[number]
export type LookFault = (typeof lookFaults)[number]

/** Signed bytes: what the other side does if a copy of them is the first that it takes. */
export interface Bytes {
  readonly kind: 'call' | 'cancel'
  /** Distinguishes bytes that were signed twice. */
  readonly serial: number
  /** Unix milliseconds of the clock of the other side. */
  readonly validUntil: number
}

/** An execution is listed so long after it at the latest. */
export const LISTED_AFTER_MS = 15_000

/** Another side that lets one copy of one effect take effect, with every fault. Its neighbours are informed of the end. */
export class FaultyPeer {
  now = 0
  sendFault: SendFault = 'none'
  lookFault: LookFault = 'none'
  /** What took effect, in order; more than one is a fault of the sender. */
  readonly executed: Bytes[] = []
  /** Bytes that left, each once. */
  readonly seen = new Map<number, Bytes>()
  /** Copies that left. */
  copies = 0
  /** What the neighbours were informed of: an idempotent call, so each word once. */
  readonly informed = new Set<string>()
  reportFails = false
  readonly #onWay: Bytes[] = []

  /** Lets the copies arrive that are late. */
  arrive(): void {
    for (const bytes of this.#onWay.splice(0)) this.#execute(bytes)
  }

  #execute(bytes: Bytes): boolean {
    if (this.now > bytes.validUntil || this.executed.length > 0) return false
    this.executed.push(bytes)
    return true
  }

  /** Takes a copy. `found nothing`: it is refused, and nothing was executed before. Throws an outage if no answer arrives. */
  send(bytes: Bytes): 'done' | 'refused' | 'found nothing' | 'over' | 'unclear' {
    this.copies += 1
    this.seen.set(bytes.serial, bytes)
    const isKnown = this.executed.length > 0
    switch (this.sendFault) {
      case 'none':
        // Like a nonce that was used: it says nothing of who used it.
        if (isKnown) return 'unclear'
        return this.#execute(bytes) ? 'done' : 'refused'
      case 'answer lost':
        this.#execute(bytes)
        break
      case 'late':
        this.#onWay.push(bytes)
        break
      case 'lost':
        break
      case 'refused':
        return 'refused'
      case 'busy':
        return 'over'
      case 'refused after a look':
        return isKnown ? 'over' : 'found nothing'
    }
    throw new Outage('peer', `the answer is ${this.sendFault}`)
  }

  /** Answers a look-up. `began`: everything that took effect until then is listed. */
  look(): { readonly began: number; readonly says: 'unknown' | 'done'; readonly executed: Bytes | null } {
    const [executed = null] = this.executed
    const began = this.now - LISTED_AFTER_MS
    if (this.lookFault === 'outage') throw new Outage('peer', 'no answer')
    if (this.lookFault === 'contradiction') return { began, says: 'done', executed: null }
    const isListed = this.lookFault !== 'not listed yet' || executed === null || began > executed.validUntil
    return isListed && executed !== null
      ? { began, says: 'done', executed }
      : { began, says: 'unknown', executed: null }
  }

  /** Informs the neighbours; returns true if they acknowledge it. An answer that is lost informs them too. */
  inform(word: string): boolean {
    this.informed.add(word)
    if (this.reportFails) throw new Outage('neighbour', 'the answer is lost')
    return true
  }
}

/** The process was killed: nothing that it still does reaches anybody. */
export class Killed extends Error {}

/** What happens to a process at one of its points: before and after each statement, and around each call to the other side. */
export type Fate = { readonly at: number; readonly is: 'killed' | 'frozen' } | null

/** A process that may be killed between any two statements, or stand still there while another one works; its clock may be wrong. */
export class TestProcess {
  /** Milliseconds that its clock is ahead of the other side's. */
  skewMs = 0
  /** Milliseconds that passed since the script began. */
  readonly #time: () => number
  #fate: Fate = null
  #points = 0
  #isDead = false
  #isFrozen = Promise.withResolvers<void>()
  #thaw = Promise.withResolvers<void>()

  constructor(time: () => number) {
    this.#time = time
  }

  readonly clock: Clock = {
    now: () => new Date(this.#time() + this.skewMs),
    after: (_, due) => {
      const timer = setImmediate(due)
      return () => clearImmediate(timer)
    },
  }

  /** Starts the process again. */
  start(fate: Fate): void {
    this.#fate = fate
    this.#points = 0
    this.#isDead = false
    this.#isFrozen = Promise.withResolvers()
    this.#thaw = Promise.withResolvers()
  }

  /** Resolves when the process stands still. */
  get frozen(): Promise<void> {
    return this.#isFrozen.promise
  }

  /** Lets a process that stands still go on. */
  thaw(): void {
    this.#thaw.resolve()
  }

  #isReached(is: 'killed' | 'frozen'): boolean {
    return this.#fate?.is === is && this.#points >= this.#fate.at
  }

  /** Passes a point; rejects with `Killed` if the process has died. */
  async point(inTransaction = false): Promise<void> {
    this.#points += 1
    this.#isDead ||= this.#isReached('killed')
    if (this.#isDead) throw new Killed()
    // A process that stands still in a transaction is ended by Postgres.
    if (inTransaction || !this.#isReached('frozen')) return
    this.#fate = null
    this.#isFrozen.resolve()
    await this.#thaw.promise
  }

  /** Wraps transactions so that each statement is a point, and each commit is between two. */
  transaction(run: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>): <T>(work: (tx: Tx) => Promise<T>) => Promise<T> {
    return async (work) => {
      await this.point()
      const answer = await run((tx) =>
        work(
          new Proxy(tx, {
            get: (target, name) => {
              const member: unknown = Reflect.get(target, name)
              if (typeof member !== 'function') return member
              return async (...given: unknown[]) => {
                await this.point(true)
                return (member as (...given: unknown[]) => unknown).apply(target, given)
              }
            },
          }),
        ),
      )
      await this.point()
      return answer
    }
  }
}

const skews = [0, 0, 0, -60_000, 2_000, 60_000, 3 * 3_600_000]

/** One step of a script: what the other side does meanwhile, who works, and what becomes of that process. */
const step = fc.record({
  process: fc.integer({ min: 0, max: 1 }),
  by: fc.constantFrom('job', 'job', 'caller'),
  send: fc.constantFrom(...sendFaults),
  look: fc.constantFrom(...lookFaults),
  fate: fc.option(fc.record({ at: fc.integer({ min: 1, max: 24 }), is: fc.constantFrom('killed', 'frozen') }), {
    freq: 3,
  }),
  passMs: fc.constantFrom(0, 0, 1_000, 6_000, 20_000, 60_000),
  isArriving: fc.boolean(),
  skewMs: fc.constantFrom(...skews),
  isReportLost: fc.boolean(),
  plan: fc.constantFrom('sign', 'sign', 'sign', 'wait', 'give_up'),
  replaces: fc.boolean(),
})
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** A script: what happens to one effect, in order. */
export const script: fc.Arbitrary<readonly Step[]> = fc.array(step, { minLength: 1, maxLength: 9, size: 'max' })

/** The effects of a kind as a script plays them. */
export interface Cast<S extends z.ZodObject> {
  /** Stores a planned effect at a time, in milliseconds, and returns its id. */
  readonly newEffect: (nowMs: number) => Promise<number>
  /** The machine as a process runs it. */
  readonly machineOf: (process: TestProcess) => Outbound<S>
  /** Connects a process with the other side, as one step of a script has it. */
  readonly adapterOf: (process: TestProcess, peer: FaultyPeer, step: Step) => Adapter<RowOf<S>>
  /** Runs a transaction of none of the processes. */
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  readonly claimMs: number
}

/** After so long nothing that was signed by the wrongest clock takes effect, and no claim of it lasts. */
const AFTERWARDS_MS = 8 * 3_600_000

/** A step in which a job works and nothing goes wrong. */
export const quietStep: Step = {
  process: 0,
  by: 'job',
  send: 'none',
  look: 'none',
  fate: null,
  passMs: 0,
  isArriving: false,
  skewMs: 0,
  isReportLost: false,
  plan: 'sign',
  replaces: false,
}

/** Two processes, another side and one effect. */
class Play<S extends z.ZodObject> {
  readonly #cast: Cast<S>
  readonly #id: number
  readonly #peer: FaultyPeer
  readonly #processes: readonly [TestProcess, TestProcess]
  readonly #machines: readonly [Outbound<S>, Outbound<S>]
  /** Work of processes that stand still. */
  readonly #standing: { readonly process: TestProcess; readonly work: Promise<void> }[] = []

  constructor(cast: Cast<S>, id: number, peer: FaultyPeer) {
    this.#cast = cast
    this.#id = id
    this.#peer = peer
    this.#processes = [new TestProcess(() => peer.now), new TestProcess(() => peer.now)]
    this.#machines = [cast.machineOf(this.#processes[0]), cast.machineOf(this.#processes[1])]
  }

  /** Works once, as a job or as the caller who follows its own effect. */
  async #work(step: Step): Promise<void> {
    const index = step.process === 0 ? 0 : 1
    const machine = this.#machines[index]
    const adapter = this.#cast.adapterOf(this.#processes[index], this.#peer, step)
    try {
      if (step.by === 'caller') return void (await machine.drive(this.#id, adapter, 2))
      await machine.sweep()
      await machine.resume(adapter, machine.rows.only(this.#id))
    } catch (error) {
      if (!isOutage(error) && !(error instanceof Killed)) throw error
    }
  }

  async #thawAll(): Promise<void> {
    for (const { process, work } of this.#standing.splice(0)) {
      process.thaw()
      await work
    }
  }

  async take(step: Step): Promise<void> {
    const process = this.#processes[step.process === 0 ? 0 : 1]
    this.#peer.now += step.passMs
    if (step.isArriving) this.#peer.arrive()
    this.#peer.sendFault = step.send
    this.#peer.lookFault = step.look
    this.#peer.reportFails = step.isReportLost
    // A process that stands still goes on while another one has worked meanwhile.
    if (this.#standing.some((one) => one.process === process)) return this.#thawAll()
    process.skewMs = step.skewMs
    process.start(step.fate)
    const work = this.#work(step)
    await Promise.race([work, process.frozen])
    this.#standing.push({ process, work })
    if (step.fate?.is !== 'frozen') await this.#thawAll()
  }

  /** Heals everything, lets all time pass, and runs the job of a new process until nothing is left to do. */
  async finish(): Promise<void> {
    await this.#thawAll()
    this.#peer.sendFault = 'none'
    this.#peer.lookFault = 'none'
    this.#peer.reportFails = false
    this.#peer.arrive()
    const [process] = this.#processes
    for (let round = 0; round < 4; round += 1) {
      this.#peer.now += round === 0 ? AFTERWARDS_MS : this.#cast.claimMs + LISTED_AFTER_MS
      process.skewMs = 0
      process.start(null)
      await this.#work(quietStep)
      if (!(await this.#isOpen())) return
    }
  }

  async #isOpen(): Promise<boolean> {
    const open = await this.#cast.transaction((tx) => this.#machines[0].rows.list(tx, 1_000))
    return open.some(({ id }) => id === this.#id)
  }

  /** Returns what became of the effect, and what must not have happened: nothing, if the rules hold. */
  async end(): Promise<Played<S>> {
    const row = await this.#cast.transaction((tx) => this.#machines[0].rows.find(tx, this.#id))
    if (row === null) throw new Error('the effect is gone')
    const { executed, seen, copies } = this.#peer
    const { effect_state: state, effect_outcome: outcome } = row
    const [one] = executed
    const expected =
      one === undefined ? ['refused', 'expired', 'abandoned'] : [one.kind === 'call' ? 'done' : 'replaced']
    const faults = {
      'it has not ended': state !== 'ended',
      'it happened more than once': executed.length > 1,
      'it ended as something else': !expected.includes(outcome ?? 'open'),
      'bytes left that were not stored first': [...seen.values()].filter(({ kind }) => kind === 'call').length > 1,
      'a copy left that was not counted': row.effect_copies < copies,
      'it was given up after a copy had left': outcome === 'abandoned' && copies > 0,
      'work is left': await this.#isOpen(),
    }
    return { row, peer: this.#peer, faults: Object.entries(faults).flatMap(([name, is]) => (is ? [name] : [])) }
  }
}

/** What became of the effect of a script. */
export interface Played<S extends z.ZodObject> {
  readonly row: RowOf<S>
  readonly peer: FaultyPeer
  /** Rules that did not hold. */
  readonly faults: readonly string[]
}

/** Plays a script of one effect: lost answers, late copies, refusals, contradictions, wrong clocks, processes that die or stand still. */
export async function playScript<S extends z.ZodObject>(cast: Cast<S>, steps: readonly Step[]): Promise<Played<S>> {
  const peer = new FaultyPeer()
  peer.now = Date.parse('2026-11-29T12:00:00Z')
  const play = new Play(cast, await cast.newEffect(peer.now), peer)
  for (const step of steps) await play.take(step)
  await play.finish()
  return play.end()
}
