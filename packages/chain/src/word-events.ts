import { type AbiEvent, getAddress, type Hex } from 'viem'
import { remembered } from './remembered.ts'

type Words = (topics: readonly Hex[], data: Hex) => Readonly<Record<string, unknown>>

const WORD = 64

/**
 * Returns a decoder for an event whose arguments are one word each; null for an event with any other or an unnamed
 * argument. It returns the values of viem's `decodeEventLog`, which derives the event's hash and layout again for every
 * log, and throws for a log of another shape.
 */
export function wordReader({ inputs }: AbiEvent): Words | null {
  const readers = inputs.map(({ type }) => readerOf(type))
  if (readers.includes(null) || inputs.some(({ name }) => !name)) return null
  const fields = inputs.map(({ name = '', indexed = false }, at) => ({
    name,
    indexed,
    read: readers[at] as (word: string) => unknown,
  }))
  const dataLength = 2 + WORD * fields.filter(({ indexed }) => !indexed).length
  return (topics, data) => {
    if (data.length < dataLength || !HEX.test(data)) throw new Error('the data is too short, or not hex')
    const args: Record<string, unknown> = {}
    let topic = 1
    let from = 2
    for (const { name, indexed, read } of fields) {
      const word = indexed ? (topics[topic++] ?? '').slice(2) : data.slice(from, (from += WORD))
      if (word.length !== WORD) throw new Error(`argument ${name} is missing`)
      args[name] = read(word)
    }
    return args
  }
}

const HEX = /^0x[0-9a-f]*$/i

/** Returns the decoder of a type; null for a type that is not one word or that our events do not use. */
function readerOf(type: string): ((word: string) => unknown) | null {
  if (type === 'address') return addressIn
  if (type === 'bool') return (word) => boundedBy(1n, word) === 1n
  const [, kind, size = ''] = /^(uint|bytes)(\d+)$/.exec(type) ?? []
  if (kind === 'bytes') return (word) => `0x${word.slice(0, 2 * Number(size))}`
  if (kind !== 'uint') return null
  const max = (1n << BigInt(size)) - 1n
  // viem returns integers of up to 48 bits as numbers.
  return Number(size) <= 48 ? (word) => Number(boundedBy(max, word)) : (word) => boundedBy(max, word)
}

/** Returns the address in a word with its checksum. */
const addressIn = remembered(10_000, (word: string) => getAddress(`0x${word.slice(24)}`))

function boundedBy(max: bigint, word: string): bigint {
  const value = BigInt(`0x${word}`)
  if (value > max) throw new Error('a value is larger than its type')
  return value
}
