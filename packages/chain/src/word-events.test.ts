import fc from 'fast-check'
import { type Abi, type AbiEvent, decodeEventLog, type Hex, padHex, toEventSelector, toHex } from 'viem'
import { expect, test } from 'vitest'
import { abis } from './abis.ts'
import { decodeEvent } from './events.ts'
import { wordReader } from './word-events.ts'

const events = (abis.vaultV2 as Abi).filter((item): item is AbiEvent => item.type === 'event')

/** A word that a value of this type may have. */
function wordOf(type: string): fc.Arbitrary<Hex> {
  if (type === 'address') return fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }).map((value) => toHex(value, { size: 32 }))
  if (type === 'bool') return fc.boolean().map((value) => toHex(value, { size: 32 }))
  const [, kind, size = '256'] = /^(uint|bytes)(\d+)$/.exec(type) ?? []
  const bits = BigInt(kind === 'bytes' ? 8 * Number(size) : Number(size))
  return fc.bigInt({ min: 0n, max: 2n ** bits - 1n }).map((value) => {
    const plain = toHex(value, { size: Number(bits) / 8 })
    return kind === 'bytes' ? padHex(plain, { dir: 'right', size: 32 }) : padHex(plain, { size: 32 })
  })
}

const someLog = fc.constantFrom(...events).chain((event) =>
  fc.tuple(...event.inputs.map(({ type }) => wordOf(type))).map((words) => {
    const of = (indexed: boolean) => words.filter((_, at) => (event.inputs[at]?.indexed ?? false) === indexed)
    const topics: [Hex, ...Hex[]] = [toEventSelector(event), ...of(true)]
    const data: Hex = `0x${of(false)
      .map((word) => word.slice(2))
      .join('')}`
    return { event, topics, data }
  }),
)

test('every event of a vault has a word decoder', () => {
  for (const event of events) expect(wordReader(event), event.name).not.toBeNull()
})

test('the word decoder returns the values of viem', () => {
  fc.assert(
    fc.property(someLog, ({ event, topics, data }) => {
      const { eventName, args } = decodeEventLog({ abi: [event], topics, data })
      expect(decodeEvent('vaultV2', { topics, data })).toEqual({ name: eventName, args })
    }),
  )
})

test('a log that lacks a topic or a byte of its data, or is not hex, is none of our events', () => {
  fc.assert(
    fc.property(someLog, ({ topics, data }) => {
      const shorter = topics.slice(0, -1) as unknown as [Hex, ...Hex[]]
      if (topics.length > 1) expect(decodeEvent('vaultV2', { topics: shorter, data })).toBeNull()
      if (data.length === 2) return
      expect(decodeEvent('vaultV2', { topics, data: data.slice(0, -2) as Hex })).toBeNull()
      expect(decodeEvent('vaultV2', { topics, data: `${data.slice(0, -1)}g` as Hex })).toBeNull()
    }),
  )
})

test('a value that is larger than its type is refused', () => {
  const stopped = events.find(({ name }) => name === 'Stopped') as AbiEvent
  const topics: [Hex, ...Hex[]] = [toEventSelector(stopped), toHex(256n, { size: 32 }), toHex(1n, { size: 32 })]
  expect(decodeEvent('vaultV2', { topics, data: toHex(1n, { size: 32 }) })).toBeNull()
})
