import { disposableAnvil, eventually, type DisposableAnvil } from '@svc/testing'
import {
  mandateVaultBytecode,
  mandateVaultFactoryAbi,
  mandateVaultFactoryBytecode,
  mandateVaultFactoryV2Abi,
  mandateVaultFactoryV2Bytecode,
  mandateVaultV2Bytecode,
  testLegGatewayAbi,
  testLegGatewayBytecode,
  testUSDCAbi,
  testUSDCBytecode,
  testVenueAbi,
  testVenueBytecode,
} from '@svc/vault'
import {
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  toHex,
  type Abi,
  type Address,
  type Hex,
} from 'viem'
import type { Terms } from '../src/index.ts'
import { firstPrice, market, parties, richly, type Contracts } from './parties.ts'
import { scriptedTargetBytecode } from './scripted-target.ts'

/** A transaction to simulate in a block of this time. */
export interface Transaction {
  readonly at: bigint
  readonly from: Address
  readonly to: Address
  readonly data: Hex
}

/** Result of a simulated transaction. */
export interface Answer {
  readonly reverted: boolean
  readonly data: Hex
}

/** The contracts, deployed on a disposable chain. */
export interface VaultChain {
  readonly anvil: DisposableAnvil
  readonly contracts: Contracts
  /** Returns the address at which the factory would create the vault of these terms. */
  predict(terms: Terms, version: 1 | 2, mandate?: number): Promise<Address>
  /** Runs transactions in order on the deployed contracts; nothing stays on the chain. */
  simulate(transactions: readonly Transaction[]): Promise<Answer[]>
}

interface Receipt {
  readonly status: Hex
  readonly contractAddress: Address
}

interface SimulatedCall {
  readonly status: Hex
  readonly returnData: Hex
}

const gasPerTransaction = toHex(5_000_000)
const gasPerBlock = toHex(1_000_000_000_000)

/** Starts a chain, deploys every contract and mints USDC for the parties. */
export async function startVaultChain(): Promise<VaultChain> {
  const anvil = await disposableAnvil()
  const contracts = await deployAll(anvil)
  return {
    anvil,
    contracts,
    predict: async (terms, version, mandate = 1) => {
      const data = factoryCall('predictVault', terms, mandate)
      const answer = await anvil.request<Hex>('eth_call', [{ to: contracts.factory[version], data }, 'latest'])
      return decodeFunctionResult({ abi: mandateVaultFactoryAbi, functionName: 'predictVault', data: answer })
    },
    simulate: async (transactions) => {
      const blocks: { at: bigint; calls: object[] }[] = []
      for (const { at, from, to, data } of transactions) {
        if (blocks.at(-1)?.at !== at) blocks.push({ at, calls: [] })
        blocks.at(-1)?.calls.push({ from, to, data, gas: gasPerTransaction })
      }
      const blockStateCalls = blocks.map(({ at, calls }) => ({
        blockOverrides: { time: toHex(at), gasLimit: gasPerBlock },
        calls,
      }))
      const simulated = await anvil.request<{ calls: SimulatedCall[] }[]>('eth_simulateV1', [
        { blockStateCalls },
        'latest',
      ])
      return simulated.flatMap(({ calls }) =>
        calls.map(({ status, returnData }) => ({ reverted: status === '0x0', data: returnData })),
      )
    },
  }
}

/** Returns the calldata of a factory for the vault of these terms and the mandate of this number. */
export function factoryCall(functionName: 'createVault' | 'predictVault', terms: Terms, mandate = 1): Hex {
  const argument = {
    ...terms,
    approvalAbove: terms.approvalAbove ?? 2n ** 128n - 1n,
    feeBps: Number(terms.feeBps),
    mandateIdHash: toHex(mandate, { size: 32 }),
    clausesHash: toHex(2, { size: 32 }),
  }
  return encodeFunctionData({ abi: mandateVaultFactoryAbi, functionName, args: [argument] })
}

/** Returns the transactions before a script: create the vault, allow it the owner's USDC, set a price at the venue. */
export function setUp(terms: Terms, vault: Address, at: bigint, contracts: Contracts, version: 1 | 2): Transaction[] {
  const approve = encodeFunctionData({ abi: testUSDCAbi, functionName: 'approve', args: [vault, 2n ** 256n - 1n] })
  const price = encodeFunctionData({ abi: testVenueAbi, functionName: 'setPrice', args: [market, firstPrice] })
  return [
    { at, from: terms.owner, to: contracts.factory[version], data: factoryCall('createVault', terms) },
    { at, from: terms.owner, to: contracts.usdc, data: approve },
    { at, from: parties.operator, to: contracts.venue, data: price },
  ]
}

async function deployAll(anvil: DisposableAnvil): Promise<Contracts> {
  const [deployer] = await anvil.request<Address[]>('eth_accounts')
  if (deployer === undefined) throw new Error('the node has no account')
  const send = async (transaction: object): Promise<Address> => {
    const sent = { from: deployer, gas: gasPerTransaction, ...transaction }
    const hash = await anvil.request<Hex>('eth_sendTransaction', [sent])
    const { status, contractAddress } = await eventually(
      async () => {
        const receipt = await anvil.request<Receipt | null>('eth_getTransactionReceipt', [hash])
        if (receipt === null) throw new Error('a transaction of the deployment is not mined')
        return receipt
      },
      { everyMs: 2 },
    )
    if (status !== '0x1') throw new Error('a transaction of the deployment failed')
    return contractAddress
  }
  const deploy = (abi: Abi, bytecode: Hex, ...args: unknown[]) =>
    send({ data: encodeDeployData({ abi, bytecode, args }) })
  const call = (to: Address, abi: Abi, functionName: string, ...args: unknown[]) =>
    send({ to, data: encodeFunctionData({ abi, functionName, args }) })

  const usdc = await deploy(testUSDCAbi, testUSDCBytecode, deployer)
  const otherToken = await deploy(testUSDCAbi, testUSDCBytecode, deployer)
  const venue = await deploy(testVenueAbi, testVenueBytecode, usdc, parties.operator)
  const script = await deploy([], scriptedTargetBytecode)
  const gateway = await deploy(testLegGatewayAbi, testLegGatewayBytecode, usdc, parties.operator, deployer)
  const implementation = { 1: await deploy([], mandateVaultBytecode), 2: await deploy([], mandateVaultV2Bytecode) }
  const factoryArguments = (version: 1 | 2) => [usdc, implementation[version], parties.keeper, deployer]
  const factory = {
    1: await deploy(mandateVaultFactoryAbi, mandateVaultFactoryBytecode, ...factoryArguments(1)),
    2: await deploy(mandateVaultFactoryV2Abi, mandateVaultFactoryV2Bytecode, ...factoryArguments(2), gateway),
  }
  await call(gateway, testLegGatewayAbi, 'bindFactory', factory[2])
  for (const rich of [parties.owner, venue, script, gateway]) await call(usdc, testUSDCAbi, 'mint', rich, richly)
  await call(otherToken, testUSDCAbi, 'mint', parties.owner, richly)
  return { usdc, otherToken, venue, script, gateway, implementation, factory }
}
