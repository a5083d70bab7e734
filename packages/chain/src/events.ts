import {
  type Abi,
  type AbiEvent,
  type ContractEventName,
  decodeEventLog,
  type GetEventArgs,
  type Hex,
  toEventSelector,
} from 'viem'
import { type AbiOf, abis, type ContractName } from './abis.ts'
import type { RawLog } from './get-logs.ts'

/** A log read with the ABI of one contract: its event's name and arguments by name. */
export type EventOf<N extends ContractName> = {
  [E in ContractEventName<AbiOf<N>>]: {
    readonly name: E
    readonly args: GetEventArgs<AbiOf<N>, E, { EnableUnion: false; IndexedOnly: false; Required: true }>
  }
}[ContractEventName<AbiOf<N>>]

/** First topics of every event of a contract, for a sweep; or of those that are named. */
export function eventTopics<N extends ContractName>(
  contract: N,
  events?: readonly ContractEventName<AbiOf<N>>[],
): readonly Hex[] {
  const named: readonly string[] | undefined = events
  return (abis[contract] as Abi)
    .filter((item) => item.type === 'event')
    .filter(({ name }) => named?.includes(name) ?? true)
    .map((event) => toEventSelector(event))
}

/** Looked up, as hashing every event of an ABI for every log takes most of the time of reading it. */
const eventsByTopic = Object.fromEntries(
  Object.entries<Abi>(abis).map(([name, abi]) => [
    name,
    new Map(abi.filter((item) => item.type === 'event').map((item) => [toEventSelector(item), item])),
  ]),
) as unknown as Record<ContractName, ReadonlyMap<Hex, AbiEvent>>

/** Reads a log as an event of `contract`; null when it is none of them, or has not their shape. */
export function decodeEvent<N extends ContractName>(
  contract: N,
  log: Pick<RawLog, 'topics' | 'data'>,
): EventOf<N> | null {
  const item = eventsByTopic[contract].get(log.topics[0])
  if (item === undefined) return null
  try {
    const { eventName, args } = decodeEventLog({
      abi: [item],
      topics: log.topics as [Hex, ...Hex[]],
      data: log.data,
    })
    return { name: eventName, args: args ?? {} } as unknown as EventOf<N>
  } catch {
    return null
  }
}
