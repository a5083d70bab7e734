import type { Contract, Operation } from '@svc/contract'
import { finish, type ClaimKey, type Pool, type Tx } from '@svc/postgres'
import type { Answer, Call } from './handler.ts'

/** An idempotency key that this attempt of a call holds. */
export interface Claimed {
  readonly key: ClaimKey
  readonly attempt: number
}

/** What the transaction of a call needs of its service. */
interface Storing {
  readonly contract: Contract
  readonly pool: Pool | null
  /** Called with the operation after each committed effect. */
  readonly wake: (operation: string) => void
}

/** Returns true if the input of a call that moves money asks for a dry run: `true`, or `1` in a query. */
export function asksDryRun({ effect }: Operation, input: unknown): boolean {
  if (effect !== 'money') return false
  const { dry_run: asked } = input as { readonly dry_run?: unknown }
  return asked === true || asked === '1'
}

/** Carries the answer of a dry run out of its transaction, which rolls back. */
class RolledBack extends Error {
  override readonly name = 'RolledBack'
  readonly answer: Answer
  constructor(answer: Answer) {
    super('a dry run writes nothing')
    this.answer = answer
  }
}

/** Returns the function that runs the transaction of a dry run as that of a call, and rolls it back at the end. */
export function rollingBack({ contract, pool }: Storing): Call['effect'] {
  return async <A extends Answer>(work: (tx: Tx) => Promise<A>): Promise<A> => {
    if (pool === null) throw new Error(`${contract.name} has no Postgres schema`)
    try {
      return await pool.transaction(async (tx): Promise<A> => {
        throw new RolledBack(await work(tx))
      })
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error
      return error.answer as A
    }
  }
}

/** Validates an answer. An undeclared answer is a bug, which must show before the commit. */
export function checked<A extends Answer>(operation: Operation, answer: A): A {
  const schema = operation.success[answer.status]
  if (schema === undefined) throw new Error(`${operation.key} answered undeclared status ${answer.status}`)
  return { ...answer, body: schema.parse(answer.body) }
}

/**
 * Returns the function that runs the only transaction of a call. The answer for a claimed key is stored in that
 * transaction.
 */
export function effectOf(
  operation: Operation,
  claimed: Claimed | null,
  { contract, pool, wake }: Storing,
): Call['effect'] {
  return async <A extends Answer>(work: (tx: Tx) => Promise<A>): Promise<A> => {
    if (pool === null) throw new Error(`${contract.name} has no Postgres schema`)
    const answer = await pool.transaction(async (tx) => {
      const result = await work(tx)
      if (claimed !== null) {
        const { status, body } = checked(operation, result)
        // A secret is shown once and never stored.
        const stored = operation.secret === true ? { status, body: null } : { ...result, body }
        await finish(tx, claimed.key, claimed.attempt, stored)
      }
      return result
    })
    wake(operation.key)
    return answer
  }
}
