import type { Contract } from '@svc/contract'
import { startService, type AnyHandler, type Reaction, type RunningService } from '@svc/service'
import type { TestStack } from './stack.ts'

/** What a stand-in for a neighbour does. Whatever else it is asked fails. */
export interface Played {
  /** By operation. */
  readonly answers?: Readonly<Record<string, AnyHandler>>
  /** True if the test publishes events in the name of the neighbour, from its database. */
  readonly emits?: boolean
  /** Contracts of the services whose events it takes; by default it takes none. */
  readonly hears?: readonly Contract[]
  /** By event that the contract consumes; to the others it does nothing. */
  readonly reactions?: Readonly<Record<string, Reaction>>
}

const silent: AnyHandler = () => Promise.reject(new Error('not part of this test'))

/**
 * Starts a stand-in for a neighbour, as its contract says and over the real servers of the stack, without settings and jobs.
 * It has a database only if it emits or hears events.
 */
export async function startPeer(
  stack: Pick<TestStack, 'environmentOf'> & Partial<Pick<TestStack, 'addDatabases'>>,
  // A contract with all its operations is no `Contract` of unknown ones.
  contract: object,
  { answers = {}, emits = false, hears = [], reactions = {} }: Played,
): Promise<RunningService> {
  const { name, operations, consumes, ...rest } = contract as Contract
  const postgres = emits || hears.length > 0
  const heard = hears.length > 0 ? consumes : []
  if (postgres) await stack.addDatabases?.(name)
  const peer: Contract = { ...rest, name, operations, consumes: heard, postgres, settings: {} }
  return startService(peer, hears, stack.environmentOf(name), () => ({
    handlers: Object.fromEntries(Object.keys(operations).map((key) => [key, answers[key] ?? silent])),
    reactions: Object.fromEntries(heard.map((event) => [event, reactions[event] ?? { apply: async () => {} }])),
  }))
}
