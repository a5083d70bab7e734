import { removedMembers, unreadable, type Problem, type Schema } from './contains.ts'
import type { OperationShape, Snapshot } from './snapshot.ts'

/** A change with which the release before and this one cannot run side by side. */
export interface Break extends Problem {
  /** `<service>.<key>` of the operation or event. */
  readonly of: string
}

const broken = (of: string, problems: readonly Problem[]): Break[] => problems.map((problem) => ({ of, ...problem }))
const once = (problems: readonly Problem[]): Problem[] => [
  ...new Map(problems.map((problem) => [`${problem.path} ${problem.problem}`, problem])).values(),
]

function requestProblems(before: Schema, after: Schema): Problem[] {
  return once([...removedMembers(before, after, 'input'), ...unreadable(after, before, 'input')])
}

/** An answer that the release before reads, and that, if services call each other, this one reads from the release before. */
function answerProblems(before: OperationShape, after: OperationShape): Problem[] {
  const between = after.callers.some((caller) => before.callers.includes(caller))
  const added = Object.keys(after.success).filter((status) => before.success[status] === undefined)
  return once([
    ...Object.entries(before.success).flatMap(([status, schema]) => {
      const now = after.success[status]
      if (now === undefined) return [{ path: status, problem: 'this success was removed' }]
      return [
        ...removedMembers(schema, now, status),
        ...unreadable(schema, now, status),
        ...(between ? unreadable(now, schema, status) : []),
      ]
    }),
    ...added.map((status) => ({ path: status, problem: 'callers of the release before do not know this success' })),
  ])
}

function accessProblems(before: OperationShape, after: OperationShape): Problem[] {
  const changed = (path: 'http' | 'tool' | 'auth' | 'scope', may: boolean) =>
    before[path] === after[path] || may ? [] : [{ path, problem: `was ${before[path]} and is ${after[path]}` }]
  const dismissed = before.callers.filter((caller) => !after.callers.includes(caller))
  return [
    ...changed('http', before.http === null),
    ...changed('tool', before.tool === null),
    ...changed('auth', after.auth === 'open'),
    ...changed('scope', false),
    ...(after.tier > before.tier ? [{ path: 'tier', problem: `was ${before.tier} and is ${after.tier}` }] : []),
    ...dismissed.map((caller) => ({
      path: 'callers',
      problem: `${caller} of the release before may not call it any more`,
    })),
  ]
}

/** Returns the changes that break the release before, which runs beside this one during an update. */
export function compareContracts(before: Snapshot, after: Snapshot, today: string): Break[] {
  const operations = Object.entries(before.operations).flatMap(([of, shape]) => {
    const now = after.operations[of]
    if (now !== undefined)
      return broken(of, [
        ...accessProblems(shape, now),
        ...requestProblems(shape.input, now.input),
        ...answerProblems(shape, now),
      ])
    const over = shape.sunset !== null && shape.sunset <= today
    return over ? [] : broken(of, [{ path: '', problem: 'this operation was removed or renamed' }])
  })
  const events = Object.entries(before.events).flatMap(([of, payload]) => {
    const now = after.events[of]
    if (now === undefined) return broken(of, [{ path: '', problem: 'this event was removed or renamed' }])
    return broken(
      of,
      once([
        ...removedMembers(payload, now, 'payload'),
        ...unreadable(payload, now, 'payload'),
        // Consumers of this release read events that the release before has stored.
        ...unreadable(now, payload, 'payload'),
      ]),
    )
  })
  return [...operations, ...events]
}
