import type { Tx } from '@svc/postgres'
import type { Context } from '#context.ts'
import { jobs } from '#jobs.ts'
import { CLAIM_MS } from '#transactions/jobs/send.ts'
import type { LegRig } from './leg-rig.ts'

const CHANGES: ReadonlySet<string> = new Set(['openLegTransfer', 'advanceLegTransfer', 'sendPoolTransfer'])
type Call = (...given: unknown[]) => Promise<unknown>

/** Returns a part with its methods wrapped; `changes` says of a call whether it changed anything. */
function watched<T extends object>(
  part: T,
  changes: (method: string, given: readonly unknown[], answer: unknown) => boolean,
  then: () => Promise<void> | void,
): T {
  return new Proxy(part, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return async (...given: unknown[]) => {
        const answer = await (member as Call).apply(target, given)
        if (changes(String(name), given, answer)) await then()
        return answer
      }
    },
  })
}

/** Whether a statement changed rows; `reopen` and its like mostly change none. */
function changedRows(given: readonly unknown[], answer: unknown): boolean {
  const [query] = given as readonly { readonly sql?: string }[]
  if (!/^\s*(INSERT|UPDATE|DELETE|WITH)/.test(query?.sql ?? '')) return false
  const { rowCount } = (answer ?? { rowCount: 0 }) as { readonly rowCount?: number }
  return Array.isArray(answer) ? answer.length > 0 : rowCount !== 0
}

/**
 * Wraps a context so that the process ends after its change number `lives`: a transaction that changed rows, a change at
 * hl-leg, or a transaction given to the chain. Between them nothing leaves the process.
 */
function dyingContext(context: Context, lives: number) {
  const { promise: ended, resolve } = Promise.withResolvers<'killed'>()
  let changes = 0
  const change = () => {
    changes += 1
    if (changes < lives) return undefined
    resolve('killed')
    return new Promise<void>(() => {})
  }
  const transaction: Context['transaction'] = async (work) => {
    let changed = false
    const answer = await context.transaction((tx) =>
      work(
        watched<Tx>(
          tx,
          (_, given, rows) => changedRows(given, rows),
          () => void (changed = true),
        ),
      ),
    )
    if (changed) await change()
    return answer
  }
  const legs = watched(context.ask.legs, (method) => CHANGES.has(method), change)
  const { chain } = context
  const isSent = (method: string, [asked]: readonly unknown[]) =>
    method === 'request' && asked === 'eth_sendRawTransaction'
  const dying = chain === null ? null : watched(chain, isSent, change)
  return { context: { ...context, transaction, chain: dying, ask: { ...context.ask, legs } }, ended }
}

/**
 * After which change the processes of a run end, in turn. `send` claims, signs, counts, sends and leaves a row; the last of its
 * processes lives, so that other jobs run while a transaction is on its way.
 */
const LIVES = { legMover: [1, 2, 3], legReconcile: [1, 2, 3], send: [1, 2, 2, 6] } as const

/** Runs a job in processes that end after some change each, until one has nothing left to change. */
export async function killAfterEachChange(
  { rig, chain }: LegRig,
  job: 'legMover' | 'legReconcile' | 'send',
  afterDeath: () => Promise<void>,
): Promise<void> {
  const lives = LIVES[job]
  for (let death = 0; ; death += 1) {
    const { context, ended } = dyingContext(await rig.context(), lives[death % lives.length] ?? 1)
    const run = jobs[job](context)(AbortSignal.timeout(600_000)).then(() => 'done' as const)
    const end = await Promise.race([run, ended])
    await chain.anvil.mined()
    if (end === 'done') return
    // What the dead process had claimed is taken over afterwards.
    rig.clock.advance(CLAIM_MS)
    await afterDeath()
  }
}
