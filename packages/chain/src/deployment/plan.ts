import {
  mandateVaultBytecode,
  mandateVaultFactoryBytecode,
  mandateVaultFactoryV2Bytecode,
  mandateVaultV2Bytecode,
  testLegGatewayBytecode,
  testUSDCBytecode,
  testVenueBytecode,
} from '@svc/vault'
import { type Abi, type Address, encodeDeployData, getCreate2Address, type Hex, zeroHash } from 'viem'
import { abis } from '../abis.ts'
import type { DeployedName } from './file.ts'

/** Accounts with a role in the contracts. */
export interface DeploymentRoles {
  /** Owns the factories, the test token, the venue and the gateway; sends the deployment. */
  readonly admin: Address
  readonly keeper: Address
  /** Moves money into and out of the test gateway. */
  readonly operator: Address
}

/** Roles on a local chain: the first three accounts of the public test mnemonic, whose keys are publicly known. */
export const localRoles: DeploymentRoles = {
  admin: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  keeper: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  operator: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
}

/** A contract to deploy, with the address that follows from its code and roles. */
export interface PlannedContract {
  readonly name: DeployedName
  readonly address: Address
  readonly initCode: Hex
}

/** The deterministic deployment proxy of most chains and anvil; it deploys calldata with CREATE2. */
export const CREATE2_PROXY: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/**
 * Returns the contracts and their addresses, in an order in which each can be deployed. The addresses depend on the code
 * and the roles only: they are equal on every chain and change with the code.
 */
export function planDeployment({ admin, keeper, operator }: DeploymentRoles): readonly PlannedContract[] {
  const usdc = plan('usdc', abis.usdc, testUSDCBytecode, [admin])
  const venue = plan('venue', abis.venue, testVenueBytecode, [usdc.address, admin])
  const gateway = plan('leg_gateway', abis.legGateway, testLegGatewayBytecode, [usdc.address, operator, admin])
  const vault = plan('vault', abis.vault, mandateVaultBytecode, [])
  const vaultV2 = plan('vault_v2', abis.vaultV2, mandateVaultV2Bytecode, [])
  const factoryOf = (implementation: Address) => [usdc.address, implementation, keeper, admin]
  return [
    usdc,
    venue,
    gateway,
    vault,
    vaultV2,
    plan('factory', abis.factory, mandateVaultFactoryBytecode, factoryOf(vault.address)),
    plan('factory_v2', abis.factoryV2, mandateVaultFactoryV2Bytecode, [...factoryOf(vaultV2.address), gateway.address]),
  ]
}

function plan(name: DeployedName, abi: Abi, bytecode: Hex, args: readonly unknown[]): PlannedContract {
  const initCode = encodeDeployData({ abi, bytecode, args: [...args] })
  return { name, initCode, address: getCreate2Address({ from: CREATE2_PROXY, salt: zeroHash, bytecode: initCode }) }
}
