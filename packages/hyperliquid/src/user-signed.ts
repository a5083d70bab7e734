import {
  ApproveAgentTypes,
  ApproveBuilderFeeTypes,
  SendAssetTypes,
  UsdClassTransferTypes,
  UsdSendTypes,
} from '@nktkas/hyperliquid/api/exchange'
import { type Address, type Hex, recoverTypedDataAddress, serializeSignature, type TypedDataParameter } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { lowerAddress } from './lower-address.ts'
import { chainName, type Network } from './network.ts'
import { floorUsdc, isWireDecimal } from './rounding.ts'
import { type Signature, splitSignature } from './signature.ts'

type Types = Readonly<Record<string, readonly TypedDataParameter[]>>

/** EIP-712 types of the actions that an account's own wallet signs, by action type. */
const TYPES = {
  approveAgent: ApproveAgentTypes,
  approveBuilderFee: ApproveBuilderFeeTypes,
  usdSend: UsdSendTypes,
  usdClassTransfer: UsdClassTransferTypes,
  sendAsset: SendAssetTypes,
} as const satisfies Record<string, Types>

export type UserSignedType = keyof typeof TYPES

/** Action as it is posted; every string hashes exactly as it stands here, so it is never written again in another form. */
export interface UserSignedAction {
  readonly type: UserSignedType
  readonly signatureChainId: Hex
  readonly hyperliquidChain: 'Mainnet' | 'Testnet'
  readonly [field: string]: unknown
}

/** Typed data in the form that `eth_signTypedData_v4` takes. */
export interface UserSignedTypedData {
  readonly domain: { name: string; version: string; chainId: number; verifyingContract: Address }
  readonly types: Types
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

interface Scope {
  readonly network: Network
  /** Chain that the signing wallet is on; any chain, it protects nothing. */
  readonly signatureChainId: number
  readonly nonce: number
}

const DOMAIN_TYPE: readonly TypedDataParameter[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]
const NO_CONTRACT: Address = `0x${'0'.repeat(40)}`
function head<T extends UserSignedType>(type: T, scope: Scope) {
  return {
    type,
    signatureChainId: `0x${scope.signatureChainId.toString(16)}`,
    hyperliquidChain: chainName(scope.network),
  } as const
}

/**
 * Returns the action that approves `agentAddress` for trading under `agentName` until `validUntilMs`; the venue accepts
 * at most 180 days. An approval under a name that is taken replaces the former one at once.
 */
export function approveAgent(
  scope: Scope,
  agent: { readonly address: Address; readonly name: string; readonly validUntilMs: number },
): UserSignedAction {
  if (!/^[A-Za-z0-9_-]{1,16}$/.test(agent.name)) throw new RangeError('name of an agent has 1 to 16 characters')
  return {
    ...head('approveAgent', scope),
    agentAddress: lowerAddress(agent.address),
    agentName: `${agent.name} valid_until ${agent.validUntilMs}`,
    nonce: scope.nonce,
  }
}

/** Returns the action that ends the approval of the agent named `agentName`. */
export const revokeAgent = (scope: Scope, agentName: string): UserSignedAction => ({
  ...head('approveAgent', scope),
  agentAddress: NO_CONTRACT,
  agentName,
  nonce: scope.nonce,
})

/** Returns the action that lets `builder` charge at most `maxFeeRate`, such as `0.1%`, on the signer's orders. */
export const approveBuilderFee = (
  scope: Scope,
  { builder, maxFeeRate }: { readonly builder: Address; readonly maxFeeRate: string },
): UserSignedAction => ({
  ...head('approveBuilderFee', scope),
  maxFeeRate,
  builder: lowerAddress(builder),
  nonce: scope.nonce,
})

/** Returns the action that sends USDC from the signer's main perpetuals account to `destination`. */
export function usdSend(
  scope: Scope,
  { destination, amountUsdc }: { readonly destination: Address; readonly amountUsdc: string },
): UserSignedAction {
  if (!isWireDecimal(amountUsdc) || amountUsdc === '0' || floorUsdc(amountUsdc) !== amountUsdc)
    throw new RangeError('amount is decimal text above zero with at most 6 decimals')
  return { ...head('usdSend', scope), destination: lowerAddress(destination), amount: amountUsdc, time: scope.nonce }
}

/** Returns what the wallet signs for an action. */
export function typedDataOf(action: UserSignedAction): UserSignedTypedData {
  const types: Types = TYPES[action.type]
  const primaryType = Object.keys(types)[0] as string
  const message = Object.fromEntries((types[primaryType] ?? []).map(({ name }) => [name, action[name]]))
  return {
    domain: {
      name: 'HyperliquidSignTransaction',
      version: '1',
      chainId: Number(action.signatureChainId),
      verifyingContract: NO_CONTRACT,
    },
    types: { EIP712Domain: DOMAIN_TYPE, ...types },
    primaryType,
    message,
  }
}

/** Returns the address whose key made `signature` for `action`; null if no key can have made it. */
export async function signerOf(action: UserSignedAction, signature: Signature): Promise<Address | null> {
  try {
    return await recoverTypedDataAddress({
      ...(typedDataOf(action) as Parameters<typeof recoverTypedDataAddress>[0]),
      signature: serializeSignature({ r: signature.r, s: signature.s, v: BigInt(signature.v) }),
    })
  } catch {
    return null
  }
}

/** Returns the body to post, whose bytes are stored and sent again as they are. */
export const userSignedBody = (action: UserSignedAction, signature: Signature): string =>
  JSON.stringify({ action, nonce: action['nonce'] ?? action['time'], signature })

/** Signs the one action of the house pool: USDC to the owner of a stored transfer. Testnet only. */
export async function signPoolSend(
  account: PrivateKeyAccount,
  send: {
    readonly owner: Address
    readonly amountUsdc: string
    readonly nonce: number
    readonly signatureChainId: number
  },
): Promise<string> {
  const { owner, amountUsdc, nonce, signatureChainId } = send
  const action = usdSend({ network: 'testnet', signatureChainId, nonce }, { destination: owner, amountUsdc })
  const hex = await account.signTypedData(typedDataOf(action) as Parameters<typeof account.signTypedData>[0])
  return userSignedBody(action, splitSignature(hex))
}
