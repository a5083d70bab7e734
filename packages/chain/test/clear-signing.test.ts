import { opened } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import {
  type AbiFunction,
  type AbiParameter,
  type Hex,
  isAddressEqual,
  keccak256,
  stringToHex,
  toFunctionSelector,
} from 'viem'
import { abis, eventTopics, read } from '../src/index.ts'
import { clearSigningDescriptors, clearSigningFiles } from '../src/clear-signing/generate.ts'
import { calldataDescriptor, typedDataDescriptor } from './erc7730-rules.ts'
import { testChain } from './harness.ts'

/** A descriptor as far as the tests look into it. */
interface Read {
  context: { $id: string; eip712: z.output<typeof typedDataDescriptor>['context']['eip712'] } & z.output<
    typeof calldataDescriptor
  >['context']
  metadata: { constants: { usdc: Hex } }
  display: { formats: Record<string, ReadFormat> }
}
interface ReadFormat {
  interpolatedIntent?: string
  fields: (ReadField & { fields?: ReadField[] })[]
}
interface ReadField {
  path: string
  label: string
  format: string
  params?: { tokenPath?: string; calleePath?: string }
}

const descriptors = new Map(
  [...clearSigningFiles()].map(([path, text]) => [path.split('/').at(-1) ?? '', JSON.parse(text) as Read]),
)
const termsFile = 'eip712-MandateTerms.json'
const callFiles = {
  'calldata-MandateVaultFactory.json': abis.factory,
  'calldata-MandateVaultFactoryV2.json': abis.factoryV2,
  'calldata-MandateVault.json': abis.vault,
  'calldata-MandateVaultV2.json': abis.vaultV2,
} as const
const rulesOf = (name: string) => (name === termsFile ? typedDataDescriptor : calldataDescriptor)
function descriptor(name: string): Read {
  const found = descriptors.get(name)
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}

const t = opened(() => testChain())

/** Paths of all values inside some parameters. */
const leaves = (parameters: readonly AbiParameter[], prefix = ''): string[] =>
  parameters.flatMap((parameter) =>
    'components' in parameter
      ? leaves(parameter.components, `${prefix}${parameter.name}.${parameter.type.endsWith(']') ? '[].' : ''}`)
      : `${prefix}${parameter.name}`,
  )
const shown = ({ fields }: ReadFormat): ReadField[] => fields.flatMap((field) => field.fields ?? [field])
const pathsOf = (format: ReadFormat) => shown(format).map(({ path }) => path)
const nothing: ReadFormat = { fields: [] }

describe('the clear-signing descriptors', () => {
  test('obey the rules of ERC-7730 version 2', () => {
    expect([...descriptors.keys()].toSorted()).toEqual([...Object.keys(callFiles), termsFile].toSorted())
    for (const [name, value] of descriptors) expect(rulesOf(name).safeParse(value).error).toBeUndefined()
  })

  test.each([
    ['a member that the standard does not know', (d: Read) => Object.assign(d.context, { owner: 'x' })],
    ['a format that it does not know', (d: Read) => Object.assign(firstField(d), { format: 'money' })],
    ['a field without a label', (d: Read) => Reflect.deleteProperty(firstField(d), 'label')],
    ['a path that is none', (d: Read) => Object.assign(firstField(d), { path: 'a b' })],
    ['no deployment', (d: Read) => Object.assign(d.context.eip712, { deployments: [] })],
    [
      'a key that is no type',
      (d: Read) => Object.assign(d.display.formats, { MandateTerms: { intent: 'x', fields: [] } }),
    ],
  ])('would be refused with %s, so that a pass means something', (_, spoil) => {
    const spoiled = structuredClone(descriptor(termsFile))
    spoil(spoiled)
    expect(typedDataDescriptor.safeParse(spoiled).success).toBe(false)
  })

  test('show every value of every call, and no other', () => {
    for (const [name, abi] of Object.entries(callFiles)) {
      const writes = abi.filter(
        (item): item is Extract<typeof item, { type: 'function' }> =>
          item.type === 'function' && item.stateMutability === 'nonpayable',
      )
      const byName = new Map(Object.entries(descriptor(name).display.formats))
      expect(byName.size).toBe(writes.length)
      for (const item of writes as readonly AbiFunction[]) {
        const [key, format] = [...byName].find(([one]) => one.startsWith(`${item.name}(`)) ?? ['', nothing]
        expect(toFunctionSelector(`function ${key}`)).toBe(toFunctionSelector(item))
        expect(pathsOf(format)).toEqual(leaves(item.inputs))
      }
    }
  })

  test('show every value of the terms under the very type that the factory hashes', async () => {
    const [[type, format] = ['', nothing]] = Object.entries(descriptor(termsFile).display.formats)
    expect(keccak256(stringToHex(type))).toBe(await read(t.chain).factory(t.at('factory')).TERMS_TYPEHASH())
    const [own = ''] = type.split(')')
    const members = own.slice(own.indexOf('(') + 1).split(',')
    const paths = members.flatMap((member) => {
      const [kind = '', name = ''] = member.split(' ')
      if (kind === 'Call[]') return [`${name}.[].target`, `${name}.[].selector`]
      if (kind === 'Clause[]') return [`${name}.[].number`, `${name}.[].text`]
      return [name]
    })
    expect(pathsOf(format)).toEqual(paths)
  })

  test('refer only to values that they show', () => {
    for (const value of descriptors.values())
      for (const format of Object.values(value.display.formats)) {
        const paths = new Set(pathsOf(format))
        for (const { params = {} } of shown(format))
          for (const path of [params.tokenPath, params.calleePath])
            if (path !== undefined) expect(paths).toContain(path)
        for (const [, path] of (format.interpolatedIntent ?? '').matchAll(/\{([^}]+)\}/g)) expect(paths).toContain(path)
      }
  })

  test('are bound to the contracts of a local chain, and know vaults by the event of their factory', () => {
    const terms = descriptor(termsFile).context.eip712
    expect(terms.domain).toEqual({ name: 'Mandate Terms', version: '2' })
    expect(terms.deployments).toEqual([
      { chainId: 31_337, address: t.at('factory') },
      { chainId: 31_337, address: t.at('factory_v2') },
    ])
    const vault = descriptor('calldata-MandateVaultV2.json')
    const { deployments, deployEvent = '' } = vault.context.contract.factory ?? {}
    expect(deployments).toEqual([{ chainId: 31_337, address: t.at('factory_v2') }])
    expect(keccak256(stringToHex(deployEvent))).toBe(eventTopics('factoryV2', ['VaultCreated'])[0])
    expect(isAddressEqual(vault.metadata.constants.usdc, t.at('usdc'))).toBe(true)
  })

  test('can be made for any other deployment', () => {
    const address = (digit: string) => `0x${digit.repeat(40)}` as const
    const other = clearSigningDescriptors({
      chainId: 84_532,
      factory: address('1'),
      factoryV2: address('2'),
      usdc: address('3'),
    })
    const text = JSON.stringify([...other])
    expect(text).toContain('84532')
    expect(text).not.toContain('31337')
    expect(text.toLowerCase()).not.toContain(t.at('usdc').toLowerCase())
  })
})

function firstField({ display }: Read): ReadField {
  const [field] = Object.values(display.formats).flatMap(({ fields }) => fields)
  if (field === undefined) throw new Error('no field')
  return field
}
