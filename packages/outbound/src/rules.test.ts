import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evidenceOf, LOOKS_BEFORE_ALARM, raisesAlarm, refusalEnds, type Look, type Word } from './rules.ts'

const words: readonly Word[] = ['unknown', 'open', 'done', 'ended', 'refused']
const look = fc.record({
  began: fc.integer({ min: 0, max: 20 }),
  says: fc.constantFrom(...words),
  executed: fc.boolean(),
})
const overAfter = fc.option(fc.integer({ min: 0, max: 20 }))

describe('the evidence of a look-up', () => {
  test('is that of the table, while copies may take effect and afterwards', () => {
    const row = (says: Word) =>
      [5, 11].flatMap((began) => [false, true].map((executed) => evidenceOf({ began, says, executed }, 10)))
    expect(Object.fromEntries(words.map((says) => [says, row(says)]))).toEqual({
      unknown: ['nothing', 'contradiction', 'not_done', 'contradiction'],
      open: ['nothing', 'nothing', 'nothing', 'nothing'],
      done: ['contradiction', 'done', 'contradiction', 'done'],
      ended: ['nothing', 'done', 'not_done', 'done'],
      refused: ['not_done', 'contradiction', 'not_done', 'contradiction'],
    })
  })

  test('never says that an effect is not done if an execution is listed, or if the word is that it is done', () => {
    fc.assert(
      fc.property(look, overAfter, (one, over) => {
        const evidence = evidenceOf(one, over)
        if (one.executed || one.says === 'done') expect(evidence).not.toBe('not_done')
        if (!one.executed) expect(evidence).not.toBe('done')
      }),
    )
  })

  test('does not count silence: without a refusal an effect is not done only after its time', () => {
    fc.assert(
      fc.property(look, overAfter, (one, over) => {
        if (evidenceOf(one, over) !== 'not_done' || one.says === 'refused') return
        expect(over !== null && one.began > over).toBe(true)
      }),
    )
  })
})

test('a refusal ends an effect as its only copy, and beside others only with a look-up that proves that nothing was done', () => {
  const count = fc.integer({ min: 1, max: 4 })
  fc.assert(
    fc.property(count, overAfter, fc.option(look), (copies, over, one) => {
      const proves = one !== null && evidenceOf(one, over) === 'not_done'
      expect(refusalEnds({ count: copies, overAfter: over }, one)).toBe(copies === 1 || proves)
    }),
  )
  expect(refusalEnds({ count: 2, overAfter: 10 }, { began: 10, says: 'unknown', executed: false })).toBe(false)
  expect(refusalEnds({ count: 2, overAfter: 10 }, { began: 11, says: 'unknown', executed: false })).toBe(true)
})

test('the tenth contradiction raises an alarm, and each tenth after it', () => {
  const raised = Array.from({ length: 31 }, (_, n) => n).filter(raisesAlarm)
  expect(raised).toEqual([1, 2, 3].map((n) => n * LOOKS_BEFORE_ALARM))
})

/** What may happen to an effect, one step after the other; copies that are on their way arrive in their order. */
const steps = [
  'send',
  'send a copy that is refused',
  'arrive',
  'pass',
  'look',
  'look before executions are listed',
] as const
type Step = (typeof steps)[number]

/** An effect with its copies at another side that lets one of them take effect, and a sender that ends it by the rules alone. */
class Play {
  /** No copy takes effect afterwards. */
  readonly #over = 1
  #now = 0
  #sent = 0
  #onWay = 0
  #happened = false
  #newest: Look | null = null
  end: 'done' | 'not_done' | null = null

  constructor(script: readonly Step[]) {
    for (const step of script) this.#do(step)
  }

  /** Returns true if the effect is open or ended as what it was, once all copies have arrived. */
  isRight(): boolean {
    while (this.#onWay > 0) this.#arrive()
    return this.end === null || (this.end === 'done') === this.#happened
  }

  #do(step: Step): void {
    switch (step) {
      case 'send':
      case 'send a copy that is refused':
        return this.#send(step !== 'send')
      case 'arrive':
        return this.#arrive()
      case 'pass':
        this.#now += 1
        return
      case 'look':
      case 'look before executions are listed':
        return this.#look(step !== 'look')
    }
  }

  #send(isRefused: boolean): void {
    // Nothing leaves once the effect has ended.
    if (this.end !== null) return
    this.#sent += 1
    if (!isRefused) this.#onWay += 1
    else if (refusalEnds({ count: this.#sent, overAfter: this.#over }, this.#newest)) this.end = 'not_done'
  }

  #arrive(): void {
    if (this.#onWay === 0) return
    this.#onWay -= 1
    if (this.#now <= this.#over) this.#happened = true
  }

  #look(isEarly: boolean): void {
    const executed = this.#happened && !(isEarly && this.#now <= this.#over)
    this.#newest = { began: this.#now, says: this.#happened ? 'done' : 'unknown', executed }
    const evidence = evidenceOf(this.#newest, this.#over)
    if (this.end === null && (evidence === 'done' || evidence === 'not_done')) this.end = evidence
  }
}

const allScripts = (length: number): Step[][] =>
  length === 0 ? [[]] : allScripts(length - 1).flatMap((before) => steps.map((step) => [...before, step]))

describe('whatever the order of copies, refusals, arrivals and look-ups', () => {
  const script = fc.array(fc.constantFrom(...steps), { maxLength: 40 })

  test('an effect ends as what it was, in every script of six steps', () => {
    expect(allScripts(6).filter((one) => !new Play(one).isRight())).toEqual([])
  })

  test('an effect ends as what it was, in long scripts', () => {
    fc.assert(
      fc.property(script, (one) => new Play(one).isRight()),
      { numRuns: 2_000 },
    )
  })

  test('an effect has ended when it is looked up after its time', () => {
    fc.assert(fc.property(script, (one) => new Play([...one, 'pass', 'pass', 'look']).end !== null))
  })
})
