import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideExecution, needsApproval, type ExecutionScene } from './decide-execution.ts'
import { keyOf, type Execution, type Judged } from './execution.ts'

const ABOVE = 10n
const GIVEN_AT = new Date('2026-11-21T10:00:00.000Z')

/** One revision of one execution, as the chain delivers it. */
interface Fact {
  readonly n: number
  readonly revision: number
  readonly canonical: boolean
  readonly block: number
  readonly amount: bigint
}

interface Approval {
  readonly id: string
  readonly head: number
  readonly amount: bigint
}

type Known = Judged & { readonly canonical: boolean; readonly revision: number; readonly execution: Execution }

/** Applies the decided steps as the store would. Throws where a step contradicts what is stored. */
class Model {
  readonly judged = new Map<string, Known>()
  readonly usedBy = new Map<string, string>()
  readonly openAlerts = new Map<string, string>()
  readonly approvals: readonly Approval[]

  constructor(approvals: readonly Approval[]) {
    this.approvals = approvals
  }

  sceneOf(fact: Fact): ExecutionScene | null {
    const execution = executionOf(fact)
    const known = this.judged.get(keyOf(execution)) ?? null
    if (known !== null && known.revision >= fact.revision) return null
    const isHeld = needsApproval(execution, ABOVE)
    const ofAmount = this.approvals.filter(({ amount }) => amount === execution.approved)
    return {
      execution,
      canonical: fact.canonical,
      known,
      ofCall: !isHeld
        ? []
        : [...this.judged.values()]
            .filter((one) => one.canonical && one.execution.approved === execution.approved)
            .map((one) => ({ execution: one.execution, judged: one })),
      given: !isHeld
        ? []
        : ofAmount.map(({ id, head }) => ({
            id,
            at: GIVEN_AT,
            head: { number: head },
            replaced: false,
            expiresAt: new Date(GIVEN_AT.getTime() + 86_400_000),
            usedBy: this.usedBy.get(id) ?? null,
          })),
      approvalAbove: ABOVE,
      stop: null,
      answers: { carries: ofAmount.map(({ id }) => id), replaced: [] },
    }
  }

  receive(fact: Fact): void {
    const scene = this.sceneOf(fact)
    for (const step of scene === null ? [] : decideExecution(scene))
      switch (step.step) {
        case 'release':
          expect(this.usedBy.get(step.approvalId)).toBe(keyOf(step.execution))
          this.usedBy.delete(step.approvalId)
          break
        case 'use':
          expect(this.usedBy.has(step.approvalId)).toBe(false)
          this.usedBy.set(step.approvalId, keyOf(step.execution))
          break
        case 'store': {
          const { execution, judged } = step
          const canonical = judged.verdict !== 'orphaned'
          this.judged.set(keyOf(execution), { ...judged, canonical, revision: execution.revision, execution })
          break
        }
        case 'record_violation':
          expect(this.openAlerts.has(keyOf(step.execution))).toBe(false)
          this.openAlerts.set(keyOf(step.execution), step.reason)
          break
        case 'resolve_alert':
          expect(this.openAlerts.get(keyOf(step.execution))).toBe(step.reason)
          this.openAlerts.delete(keyOf(step.execution))
          break
        case 'note_replaced':
        case 'compare_reports':
      }
  }

  /** Verdict of each execution, with the approval it uses. */
  outcome(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      [...this.judged].map(([key, { verdict, approvalId }]) => [key, `${verdict} ${approvalId ?? ''}`]),
    )
  }
}

const executionOf = ({ n, revision, block, amount }: Fact): Execution => ({
  chainId: 1,
  txHash: `0x${n}`,
  logOrdinal: 0,
  logIndex: n,
  mandateId: 1,
  revision,
  target: '0xaa',
  selector: '0xbb',
  approved: amount,
  spent: amount,
  received: 0n,
  day: 0n,
  blockNumber: block,
  blockTime: GIVEN_AT.toISOString(),
})

const amounts = fc.constantFrom(5n, 20n, 30n)
const approvals = fc
  .array(fc.record({ head: fc.integer({ min: 0, max: 30 }), amount: fc.constantFrom(20n, 30n) }), { maxLength: 4 })
  .map((given) => given.map((one, n): Approval => ({ id: `apr_${n}`, ...one })))
/** Executions that may be removed and mined again, each in the block of its first revision. */
const histories = fc
  .array(
    fc.record({ block: fc.integer({ min: 0, max: 30 }), amount: amounts, revisions: fc.integer({ min: 1, max: 3 }) }),
    {
      maxLength: 6,
    },
  )
  .map((executions) =>
    executions.flatMap(({ revisions, ...rest }, n) =>
      Array.from({ length: revisions }, (_, at): Fact => ({ n, ...rest, revision: at + 1, canonical: at % 2 === 0 })),
    ),
  )
const shuffled = histories.chain((facts) =>
  fc.tuple(fc.constant(facts), fc.shuffledSubarray(facts, { minLength: facts.length })),
)

test('whatever order the facts arrive in, every execution ends with the same verdict and approval', () => {
  fc.assert(
    fc.property(approvals, shuffled, (given, [facts, other]) => {
      const [one, two] = [new Model(given), new Model(given)]
      for (const fact of facts) one.receive(fact)
      for (const fact of other) two.receive(fact)
      expect(two.outcome()).toEqual(one.outcome())
    }),
  )
})

test('an approval is used by one standing execution at most, and an alert is open exactly for each violation', () => {
  fc.assert(
    fc.property(approvals, shuffled, (given, [, facts]) => {
      const model = new Model(given)
      for (const fact of facts) model.receive(fact)
      const standing = [...model.judged.values()]
      const used = standing.flatMap(({ approvalId }) => approvalId ?? [])
      expect(new Set(used).size).toBe(used.length)
      expect([...model.usedBy.keys()].toSorted()).toEqual(used.toSorted())
      expect([...model.openAlerts.keys()].toSorted()).toEqual(
        standing.flatMap(({ verdict, execution }) => (verdict === 'violation' ? keyOf(execution) : [])).toSorted(),
      )
      for (const { verdict, execution } of standing)
        if (verdict === 'within') expect(execution.approved).toBeLessThanOrEqual(ABOVE)
    }),
  )
})

test('a revision that is known already changes nothing', () => {
  fc.assert(
    fc.property(approvals, histories, (given, facts) => {
      const model = new Model(given)
      for (const fact of facts) model.receive(fact)
      for (const fact of facts) expect(model.sceneOf(fact)).toBeNull()
    }),
  )
})

test('while approvals are off, an execution keeps the verdict that it got while they were on', () => {
  const fact: Fact = { n: 1, revision: 2, canonical: true, block: 3, amount: 20n }
  const known = {
    verdict: 'violation',
    reason: 'unapproved_execution',
    approvalId: null,
    firstBlock: 2,
    carries: ['a'],
  } as const
  const scene = new Model([]).sceneOf(fact)
  if (scene === null) throw new Error('the fact is new')
  const steps = decideExecution({ ...scene, known: { ...known, canonical: true }, approvalAbove: null, answers: null })
  expect(steps).toEqual([{ step: 'store', execution: scene.execution, judged: known }])
})
