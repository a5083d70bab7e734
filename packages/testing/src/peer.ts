import { ok, type Contract } from '@svc/contract'
import { Outage, startService, type AnyHandler, type Reaction, type RunningService } from '@svc/service'
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

/** Answers of a peer by operation; an answer may refuse. */
export type PeerAnswers = Record<string, (input: never) => unknown>

/** A service that another one asks: tests set its answers and read what it was asked. */
export interface Peer {
  /** An operation without an answer fails. */
  readonly answers: PeerAnswers
  /** Questions so far, oldest first. */
  readonly asked: { readonly operation: string; readonly input: unknown }[]
  isAway: boolean
}

export const newPeer = (): Peer => ({ answers: {}, asked: [], isAway: false })

/** Starts a neighbour that answers what its peer says and notes what it was asked, but for the operations of `unnoted`. */
export function playPeer(
  stack: Pick<TestStack, 'environmentOf'>,
  contract: object,
  peer: Peer,
  unnoted: readonly string[] = [],
): Promise<RunningService> {
  const { name, operations } = contract as Contract
  const answer =
    (operation: string): AnyHandler =>
    async (input: never) => {
      if (peer.isAway) throw new Outage('test', `${name} is away`)
      if (!unnoted.includes(operation)) peer.asked.push({ operation, input })
      const given = peer.answers[operation]
      if (given === undefined) throw new Error(`${operation} is no part of this test`)
      const declared = operations[operation]?.success ?? {}
      return ok(Number(Object.keys(declared)[0] ?? 200), await given(input))
    }
  return startPeer(stack, contract, {
    answers: Object.fromEntries(Object.keys(operations).map((key) => [key, answer(key)])),
  })
}
