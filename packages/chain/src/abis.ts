import {
  mandateVaultAbi,
  mandateVaultFactoryAbi,
  mandateVaultFactoryV2Abi,
  mandateVaultV2Abi,
  testLegGatewayAbi,
  testUSDCAbi,
  testVenueAbi,
} from '@svc/vault'

/** The ABI of every contract, by the name that the helpers of this package use. */
export const abis = {
  factory: mandateVaultFactoryAbi,
  factoryV2: mandateVaultFactoryV2Abi,
  vault: mandateVaultAbi,
  vaultV2: mandateVaultV2Abi,
  usdc: testUSDCAbi,
  venue: testVenueAbi,
  legGateway: testLegGatewayAbi,
} as const

/** Name of a contract, as `abis` has it. */
export type ContractName = keyof typeof abis
/** ABI of the contract of a name. */
export type AbiOf<N extends ContractName> = (typeof abis)[N]
