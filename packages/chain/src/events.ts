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
import { wordReader } from './word-events.ts'

/** A log decoded with the ABI of one contract: the event's name, and its arguments by name. */
export type EventOf<N extends ContractName> = {
  [E in ContractEventName<AbiOf<N>>]: {
    readonly name: E
    readonly args: GetEventArgs<AbiOf<N>, E, { EnableUnion: false; IndexedOnly: false; Required: true }>
  }
}[ContractEventName<AbiOf<N>>]

/** Returns the first topics of every event of a contract, or of the named events. */
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

interface KnownEvent {
  readonly item: AbiEvent
  readonly words: ReturnType<typeof wordReader>
}

/** By first topic: hashing every event of an ABI for each log would take most of the time of decoding it. */
const eventsByTopic = Object.fromEntries(
  Object.entries<Abi>(abis).map(([name, abi]) => [
    name,
    new Map(
      abi
        .filter((item) => item.type === 'event')
        .map((item): [Hex, KnownEvent] => [toEventSelector(item), { item, words: wordReader(item) }]),
    ),
  ]),
) as unknown as Record<ContractName, ReadonlyMap<Hex, KnownEvent>>

/** Decodes a log as an event of `contract`; null for any other event, and for data of another shape. */
export function decodeEvent<N extends ContractName>(
  contract: N,
  log: Pick<RawLog, 'topics' | 'data'>,
): EventOf<N> | null {
  const known = eventsByTopic[contract].get(log.topics[0])
  if (known === undefined) return null
  const { item, words } = known
  try {
    if (words !== null) return { name: item.name, args: words(log.topics, log.data) } as unknown as EventOf<N>
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
