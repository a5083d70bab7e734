import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toEventSelector, toFunctionSelector, type Abi, type AbiParameter } from 'viem'
import { formatAbiItem } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import * as vault from '../src/index.ts'

/** The interface that wallets, indexers and other tests were built against; changing it breaks them. */
const promised = sections(await readFile(join(import.meta.dirname, 'fixtures/abi.txt'), 'utf8'))

const compiled: Readonly<Record<string, Abi>> = {
  MandateVault: vault.mandateVaultAbi,
  MandateVaultV2: vault.mandateVaultV2Abi,
  MandateVaultFactory: vault.mandateVaultFactoryAbi,
  MandateVaultFactoryV2: vault.mandateVaultFactoryV2Abi,
  TestVenue: vault.testVenueAbi,
  TestLegGateway: vault.testLegGatewayAbi,
  TestUSDC: vault.testUSDCAbi,
}

describe('the compiled interface is the promised one: names, types, order, selectors', () => {
  test('every contract has a section', () => {
    expect([...promised.keys()].toSorted()).toEqual(Object.keys(compiled).toSorted())
  })

  for (const [name, abi] of Object.entries(compiled)) {
    test(`${name}`, () => {
      expect(lines(abi)).toEqual(promised.get(name))
    })
  }
})

function sections(text: string): Map<string, string[]> {
  const parts = text.split(/^## /m).slice(1)
  return new Map(
    parts.map((part) => {
      const [name = '', ...rest] = part.split('\n')
      return [name, rest.filter((line) => line.trim() !== '').map((line) => line.trimEnd().replaceAll(/ +/g, ' '))]
    }),
  )
}

/** One line for each function, event and error, in the order and words of the list. */
function lines(abi: Abi): string[] {
  const kinds = ['function', 'event', 'error'] as const
  return kinds.flatMap((kind) =>
    abi
      .flatMap((item) => {
        if (item.type !== kind) return []
        const head = `${item.name}(${item.inputs.map((input) => parameter(input)).join(', ')})`
        if (item.type === 'event')
          return [{ name: item.name, line: `ev ${toEventSelector(item).slice(0, 10)} ${head}` }]
        if (item.type === 'error') {
          const selector = toFunctionSelector(formatAbiItem(item))
          return [{ name: item.name, line: `er ${selector} ${head}` }]
        }
        const answers = item.outputs.map(typeOf).join(',')
        const state = item.stateMutability === 'nonpayable' ? '' : ` ${item.stateMutability}`
        const line = `fn ${toFunctionSelector(item)} ${head}${state}${answers === '' ? '' : ` -> ${answers}`}`
        return [{ name: item.name, line: line.replace(' pure', ' view') }]
      })
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ line }) => line),
  )
}

function parameter(input: AbiParameter): string {
  const indexed = 'indexed' in input && input.indexed === true ? ' indexed' : ''
  return `${typeOf(input)}${indexed} ${input.name ?? ''}`
}

function typeOf(input: AbiParameter): string {
  if (!('components' in input)) return input.type
  return `(${input.components.map(typeOf).join(',')})${input.type.slice('tuple'.length)}`
}
