import type { Abi, AbiFunction, AbiParameter, Address } from 'viem'
import { abis } from '../abis.ts'
import { localRoles, planDeployment } from '../deployment/plan.ts'
import { TERMS_VERSION, termsTypes } from '../terms/typed-data.ts'
import {
  type Deployment,
  type Descriptor,
  type Field,
  type FieldGroup,
  type FunctionFormat,
  SCHEMA,
} from './descriptor.ts'
import { formats, groupLabels, intents, type Place } from './formats.ts'

/** Contracts to which the descriptors are bound. */
export interface ClearSigningContracts {
  readonly chainId: number
  readonly factory: Address
  /** Null omits the second version. */
  readonly factoryV2: Address | null
  readonly usdc: Address
}

/** Event by which a wallet recognises the vaults of a factory. */
const DEPLOY_EVENT_NAME = 'VaultCreated'
const OWNER = 'Mandates'

/**
 * Returns the ERC-7730 version 2 descriptors of the terms and of every call of vaults and factories, by file name. They
 * follow from the typed data and the ABIs and show every signed value. Throws if a value has no label.
 */
export function clearSigningDescriptors(contracts: ClearSigningContracts): ReadonlyMap<string, Descriptor> {
  const v1 = [{ chainId: contracts.chainId, address: contracts.factory }]
  const v2 = contracts.factoryV2 === null ? [] : [{ chainId: contracts.chainId, address: contracts.factoryV2 }]
  const all: readonly (readonly [string, Descriptor])[] = [
    ['eip712-MandateTerms.json', termsDescriptor([...v1, ...v2])],
    ['calldata-MandateVaultFactory.json', factoryDescriptor('MandateVaultFactory', abis.factory, v1)],
    ['calldata-MandateVaultFactoryV2.json', factoryDescriptor('MandateVaultFactoryV2', abis.factoryV2, v2)],
    ['calldata-MandateVault.json', vaultDescriptor('MandateVault', abis.vault, abis.factory, v1, contracts.usdc)],
    [
      'calldata-MandateVaultV2.json',
      vaultDescriptor('MandateVaultV2', abis.vaultV2, abis.factoryV2, v2, contracts.usdc),
    ],
  ]
  return new Map(all.filter(([name]) => contracts.factoryV2 !== null || !name.endsWith('V2.json')))
}

/** Returns the descriptors of the local chain as files of the repository, by path. */
export function clearSigningFiles(): ReadonlyMap<string, string> {
  const at = new Map(planDeployment(localRoles).map(({ name, address }) => [name, address]))
  const addressOf = (name: Parameters<typeof at.get>[0]) => at.get(name) ?? unknown(name)
  const contracts = {
    chainId: 31_337,
    factory: addressOf('factory'),
    factoryV2: addressOf('factory_v2'),
    usdc: addressOf('usdc'),
  }
  return new Map(
    [...clearSigningDescriptors(contracts)].map(([name, descriptor]) => [
      `packages/chain/generated/clear-signing/${name}`,
      `${JSON.stringify(descriptor, null, 2)}\n`,
    ]),
  )
}

function termsDescriptor(deployments: readonly Deployment[]): Descriptor {
  const fields = fieldsOf(structure(termsTypes.MandateTerms), { prefix: '', token: { tokenPath: 'usdc' } })
  return {
    $schema: SCHEMA,
    context: {
      $id: 'Mandate terms',
      eip712: { domain: { name: 'Mandate Terms', version: TERMS_VERSION }, deployments },
    },
    metadata: { owner: OWNER, contractName: 'MandateTerms' },
    display: { formats: { [termsType()]: { intent: 'Sign the terms of a mandate', fields } } },
  }
}

function factoryDescriptor(name: string, abi: Abi, deployments: readonly Deployment[]): Descriptor {
  return {
    $schema: SCHEMA,
    context: { $id: name, contract: { deployments } },
    metadata: { owner: OWNER, contractName: name },
    display: { formats: functionFormats(abi, (prefix) => ({ tokenPath: `${prefix}usdc` })) },
  }
}

function vaultDescriptor(
  name: string,
  abi: Abi,
  factoryAbi: Abi,
  deployments: readonly Deployment[],
  usdc: Address,
): Descriptor {
  const event = factoryAbi.find((item) => item.type === 'event' && item.name === DEPLOY_EVENT_NAME)
  if (event?.type !== 'event') return unknown(DEPLOY_EVENT_NAME)
  const deployEvent = `${event.name}(${event.inputs.map(canonical).join(',')})`
  return {
    $schema: SCHEMA,
    context: { $id: name, contract: { factory: { deployments, deployEvent } } },
    metadata: { owner: OWNER, contractName: name, constants: { usdc } },
    display: { formats: functionFormats(abi, () => ({ token: '$.metadata.constants.usdc' })) },
  }
}

function functionFormats(
  abi: Abi,
  tokenOf: (prefix: string) => Readonly<Record<string, string>>,
): Record<string, FunctionFormat> {
  const writes = abi.filter(
    (item): item is AbiFunction =>
      item.type === 'function' && item.stateMutability !== 'view' && item.stateMutability !== 'pure',
  )
  return Object.fromEntries(
    writes.map((item) => {
      const fields = item.inputs.flatMap((input) => {
        const inner = members(input)
        const prefix = inner === null ? '' : `${input.name}.`
        return fieldsOf(inner ?? [input], { prefix, token: tokenOf(prefix) })
      })
      return [`${item.name}(${item.inputs.map(named).join(', ')})`, { ...textOf(intents, item.name), fields }]
    }),
  )
}

/** Returns the fields of a struct's members in their order; an array of structs becomes a group. */
function fieldsOf(parameters: readonly AbiParameter[], place: Place): (Field | FieldGroup)[] {
  return parameters.map((parameter) => {
    const name = parameter.name ?? ''
    const inner = members(parameter)
    if (inner === null) return { path: `${place.prefix}${name}`, ...textOf(formats, name)(place) }
    const prefix = `${place.prefix}${name}.[].`
    const fields = inner.map((member) => ({
      path: `${prefix}${member.name}`,
      ...textOf(formats, member.name ?? '')({ ...place, prefix }),
    }))
    return { label: textOf(groupLabels, name), iteration: 'bundled', fields }
  })
}

function textOf<T>(table: Readonly<Record<string, T>>, name: string): T {
  return Object.hasOwn(table, name) ? (table[name] as T) : unknown(name)
}

function unknown(name: string): never {
  throw new Error(`${name} has no text for clear signing: add one in src/clear-signing/formats.ts`)
}

const members = (parameter: AbiParameter): readonly AbiParameter[] | null =>
  'components' in parameter ? parameter.components : null

/** Converts arrays of structs in the typed data to the shape of ABIs. */
function structure(parameters: readonly { readonly name: string; readonly type: string }[]): AbiParameter[] {
  return parameters.map(({ name, type }) => {
    const struct = termsTypes[type.replace('[]', '') as keyof typeof termsTypes] as typeof parameters | undefined
    return struct === undefined ? { name, type } : { name, type: 'tuple[]', components: structure(struct) }
  })
}

/** Returns EIP-712 `encodeType` of the terms. */
function termsType(): string {
  return (['MandateTerms', 'Call', 'Clause'] as const)
    .map((type) => `${type}(${termsTypes[type].map((member) => `${member.type} ${member.name}`).join(',')})`)
    .join('')
}

function canonical(parameter: AbiParameter): string {
  const inner = members(parameter)
  return inner === null ? parameter.type : parameter.type.replace('tuple', `(${inner.map(canonical).join(',')})`)
}

function named(parameter: AbiParameter): string {
  const inner = members(parameter)
  const type = inner === null ? parameter.type : parameter.type.replace('tuple', `(${inner.map(named).join(', ')})`)
  return `${type} ${parameter.name}`
}
