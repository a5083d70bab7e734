import { sql, type Pool } from '@svc/postgres'
import { isOutage } from '@svc/service'
import { opened } from '@svc/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FaultyPeer, Killed, LISTED_AFTER_MS, script, TestProcess, type Step } from '@svc/outbound/testing'
import { adapterOf, CLAIM_MS, deedsOf, newDeed, openDeeds, type Deeds } from './effect-rig.ts'

const long = process.env['TEST_LONG'] === '1'
const database = opened(() => openDeeds())

/** After so long nothing that was signed by the wrongest clock takes effect, and no claim of it lasts. */
const AFTERWARDS_MS = 8 * 3_600_000

/** Two processes, another side and one effect. */
class Play {
  readonly #pool: Pool
  readonly #id: number
  readonly #peer = new FaultyPeer()
  readonly #processes: readonly TestProcess[]
  readonly #machines: readonly Deeds[]
  /** Work of processes that stand still. */
  #standing: { readonly process: TestProcess; readonly work: Promise<void> }[] = []

  constructor(pool: Pool, id: number) {
    this.#pool = pool
    this.#id = id
    this.#peer.now = Date.parse('2026-11-29T12:00:00Z')
    this.#processes = [0, 1].map(() => new TestProcess(() => this.#peer.now))
    this.#machines = this.#processes.map((one) => deedsOf(pool, one))
  }

  /** Works once, as a job or as the caller who follows its own effect. */
  async #work(step: Step): Promise<void> {
    const [process, machine] = [this.#processes[step.process], this.#machines[step.process]]
    if (process === undefined || machine === undefined) throw new Error('no such process')
    const adapter = adapterOf(process, this.#peer, step)
    const selection = { where: sql.fragment`id = ${this.#id}`, order: sql.fragment`id`, max: 5 }
    try {
      if (step.by === 'caller') return void (await machine.drive(this.#id, adapter, 2))
      await machine.sweep()
      await machine.resume(adapter, selection)
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
    const process = this.#processes[step.process]
    if (process === undefined) throw new Error('no such process')
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
    for (let round = 0; round < 4; round += 1) {
      this.#peer.now += round === 0 ? AFTERWARDS_MS : CLAIM_MS + LISTED_AFTER_MS
      const [process] = this.#processes
      if (process !== undefined) process.skewMs = 0
      process?.start(null)
      await this.#work({ ...quiet, process: 0 })
      if (await this.#isOver()) return
    }
  }

  async #isOver(): Promise<boolean> {
    const left = await this.#pool.transaction((tx) => this.#machines[0]?.rows.list(tx, 5) ?? Promise.resolve([]))
    return !left.some(({ id }) => id === this.#id)
  }

  async check(): Promise<void> {
    const row = await this.#pool.transaction(
      (tx) => this.#machines[0]?.rows.find(tx, this.#id) ?? Promise.resolve(null),
    )
    const { executed, informed, seen, copies } = this.#peer
    expect(row).toMatchObject({ effect_state: 'ended' })
    if (row === null) return
    // At most once.
    expect(executed.length).toBeLessThanOrEqual(1)
    // As what it was, with the columns of its kind.
    const outcome = row.effect_outcome
    expect(row.result).toBe(outcome)
    const [one] = executed
    if (one === undefined) expect(['refused', 'expired', 'abandoned']).toContain(outcome)
    else expect(outcome).toBe(one.kind === 'call' ? 'done' : 'replaced')
    // Reported once in effect.
    expect([...informed]).toEqual([outcome])
    // Only stored bytes left, each copy counted before.
    expect([...seen.values()].filter(({ kind }) => kind === 'call').length).toBeLessThanOrEqual(1)
    expect(row.effect_copies).toBeGreaterThanOrEqual(copies)
    if (outcome === 'abandoned') expect(copies).toBe(0)
    // Nothing is left to do.
    expect(await this.#isOver()).toBe(true)
  }
}

const quiet: Step = {
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

test('with lost answers, late copies, refused copies, contradictions, wrong clocks and processes that die or stand still an effect happens at most once, ends as what it was, and is reported once', async () => {
  const { pool } = database
  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      const play = new Play(pool, await newDeed(pool))
      for (const step of steps) await play.take(step)
      await play.finish()
      await play.check()
    }),
    { numRuns: long ? 10_000 : 200, seed: Number(process.env['TEST_SEED'] ?? 7) },
  )
})
