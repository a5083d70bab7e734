import * as exchange from '@nktkas/hyperliquid/api/exchange'
import { canonicalize, createL1ActionHash } from '@nktkas/hyperliquid/signing'
import * as v from 'valibot'
import { type Hex, recoverTypedDataAddress } from 'viem'
import { z } from 'zod'

/** Actions of the venue's own ledger that are understood; agents may send them. */
const L1 = {
  order: exchange.OrderRequest,
  cancel: exchange.CancelRequest,
  cancelByCloid: exchange.CancelByCloidRequest,
  updateLeverage: exchange.UpdateLeverageRequest,
  updateIsolatedMargin: exchange.UpdateIsolatedMarginRequest,
  scheduleCancel: exchange.ScheduleCancelRequest,
  noop: exchange.NoopRequest,
  agentSendAsset: exchange.AgentSendAssetRequest,
  agentSetAbstraction: exchange.AgentSetAbstractionRequest,
  setReferrer: exchange.SetReferrerRequest,
} as const

/** Actions that an account's own wallet signs, with their typed data. */
export const USER_SIGNED = {
  approveAgent: exchange.ApproveAgentTypes,
  approveBuilderFee: exchange.ApproveBuilderFeeTypes,
  usdSend: exchange.UsdSendTypes,
  usdClassTransfer: exchange.UsdClassTransferTypes,
  spotSend: exchange.SpotSendTypes,
  withdraw3: exchange.Withdraw3Types,
  sendAsset: exchange.SendAssetTypes,
  userSetAbstraction: exchange.UserSetAbstractionTypes,
} as const

export type L1Name = keyof typeof L1
export type UserSignedName = keyof typeof USER_SIGNED

/** Types of all actions that are understood. */
export const ACTIONS: readonly string[] = [...Object.keys(L1), ...Object.keys(USER_SIGNED)]

export interface Envelope {
  readonly action: { readonly type: string; readonly [field: string]: unknown }
  readonly nonce: number
  readonly signature: { readonly r: string; readonly s: string; readonly v: number }
  readonly vaultAddress?: string | null | undefined
  readonly expiresAfter?: number | null | undefined
}

const hexWord = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/)
const envelope = z.strictObject({
  action: z.looseObject({ type: z.string() }),
  nonce: z.int().min(0),
  signature: z.strictObject({ r: hexWord, s: hexWord, v: z.int() }),
  vaultAddress: z.string().nullish(),
  expiresAfter: z.int().min(0).nullish(),
})

/** Fields that are decimal text; a number in their place, an exponent or a ninth decimal cannot be read. */
const DECIMALS = new Set(['p', 's', 'triggerPx', 'amount'])
function decimalsAreText(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(decimalsAreText)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, member]) => {
    if (!DECIMALS.has(key)) return decimalsAreText(member)
    return typeof member === 'string' && /^\d+(\.\d+)?$/.test(member) && !/\.\d{8}\d*[1-9]/.test(member)
  })
}

export interface Read {
  readonly envelope: Envelope
  /** The action as its members are defined, decimals normalised; as sent for one that wallets sign. */
  readonly action: Envelope['action']
  readonly kind: 'l1' | 'user'
}

/** Reads a request as the venue's own decoder does. Null: it cannot be read. */
export function readEnvelope(body: unknown): Read | null {
  const parsed = envelope.safeParse(body)
  if (!parsed.success || !decimalsAreText(parsed.data.action)) return null
  const given = parsed.data as Envelope
  if (given.action.type in USER_SIGNED) return { envelope: given, action: given.action, kind: 'user' }
  const request = L1[given.action.type as L1Name]
  if (request === undefined) return null
  const schema = request.entries.action as v.GenericSchema
  const action = v.safeParse(schema, given.action)
  if (!action.success) return null
  return { envelope: given, action: canonicalize(schema, action.output) as Envelope['action'], kind: 'l1' }
}

/** Returns the lower-case address whose key signed; null if no key can have. */
export async function signerOf(read: Read, network: 'mainnet' | 'testnet'): Promise<string | null> {
  const { r, s, v: recovery } = read.envelope.signature
  const pad = (word: string) => word.slice(2).padStart(64, '0')
  const signature: Hex = `0x${pad(r)}${pad(s)}${(recovery < 27 ? recovery + 27 : recovery).toString(16).padStart(2, '0')}`
  try {
    const typed = read.kind === 'l1' ? agentData(read, network) : userData(read)
    return (await recoverTypedDataAddress({ ...typed, signature } as never)).toLowerCase()
  } catch {
    return null
  }
}

function agentData({ action, envelope: given }: Read, network: 'mainnet' | 'testnet') {
  const connectionId = createL1ActionHash({
    action,
    nonce: given.nonce,
    ...(given.vaultAddress == null ? {} : { vaultAddress: given.vaultAddress as Hex }),
    ...(given.expiresAfter == null ? {} : { expiresAfter: given.expiresAfter }),
  })
  return {
    domain: { name: 'Exchange', version: '1', chainId: 1337, verifyingContract: `0x${'0'.repeat(40)}` },
    types: {
      Agent: [
        { name: 'source', type: 'string' },
        { name: 'connectionId', type: 'bytes32' },
      ],
    },
    primaryType: 'Agent',
    message: { source: network === 'mainnet' ? 'a' : 'b', connectionId },
  }
}

function userData({ action }: Read) {
  const types = USER_SIGNED[action.type as UserSignedName]
  const primaryType = Object.keys(types)[0] as string
  return {
    domain: {
      name: 'HyperliquidSignTransaction',
      version: '1',
      chainId: Number(action['signatureChainId']),
      verifyingContract: `0x${'0'.repeat(40)}`,
    },
    types,
    primaryType,
    message: { ...action, agentName: action['agentName'] ?? '' },
  }
}
