import { AgentSendAssetRequest, OrderRequest } from '@nktkas/hyperliquid/api/exchange'
import { canonicalize, createL1ActionHash } from '@nktkas/hyperliquid/signing'
import type { Address, Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { agentTypedData, signL1, type SignedAction } from './l1.ts'
import { lowerAddress } from './lower-address.ts'
import type { Network } from './network.ts'
import { isWireDecimal } from './rounding.ts'

/** One order that fills at once or not at all. `cloid` is our name for it at the venue, 16 bytes. */
export interface IocOrder {
  readonly asset: number
  readonly side: 'buy' | 'sell'
  /** Worst price, on the venue's grid. */
  readonly price: string
  readonly size: string
  readonly reduceOnly: boolean
  readonly cloid: Hex
}

/** A move of the owner's own USDC between perpetual exchanges (dexes) of the venue; `''` is the main one. */
export interface CollateralMove {
  readonly sourceDex: string
  readonly destinationDex: string
  /** The venue's id of USDC, such as `USDC:0x6d1e7cde53ba9467b783cb7c530ce054`. */
  readonly token: string
  readonly amountUsdc: string
}

/** Share of the notional, in tenths of a basis point, that an order pays to `address`. */
export interface Builder {
  readonly address: Address
  readonly fee: number
}

interface When {
  readonly nonce: number
  readonly nowMs: number
}

/** How long a signed action stays good: one that arrives later must not execute. */
const LIFE_MS = 15_000

/** Signs for one mandate's leg. Only the two listed actions can be expressed. */
export interface LegSigner {
  readonly address: Address
  signOrder(order: IocOrder, when: When): Promise<SignedAction>
  signCollateralMove(move: CollateralMove, when: When): Promise<SignedAction>
}

/** Signs orders of an account linked for trading, each with our builder's fee. */
export interface TradeSigner {
  readonly address: Address
  signOrder(order: IocOrder, when: When): Promise<SignedAction>
}

/**
 * Opens the signer of a leg. Its key signs immediate-or-cancel orders without builder or vault, and moves of USDC to
 * `owner` between `dexes`. There is no generic way to sign.
 */
export function openLegSigner(
  account: PrivateKeyAccount,
  scope: { readonly network: Network; readonly owner: Address; readonly dexes: readonly string[] },
): LegSigner {
  const { network, owner, dexes } = scope
  return {
    address: account.address,
    signOrder: (order, when) => sign(account, network, orderAction(order, null), when),
    signCollateralMove: (move, when) => {
      if (
        !dexes.includes(move.sourceDex) ||
        !dexes.includes(move.destinationDex) ||
        move.sourceDex === move.destinationDex
      )
        throw new RangeError('collateral moves between two different dexes that are read')
      return sign(account, network, collateralAction(move, owner, when.nonce), when)
    },
  }
}

/** Opens the signer of a linked trading account; every order carries `builder`. */
export function openTradeSigner(
  account: PrivateKeyAccount,
  scope: { readonly network: Network; readonly builder: Builder },
): TradeSigner {
  return {
    address: account.address,
    signOrder: (order, when) => sign(account, scope.network, orderAction(order, scope.builder), when),
  }
}

/** An order that a key outside this program signs and posts: the typed data, and the members of the body around it. */
export interface OrderToSign {
  readonly typedData: ReturnType<typeof agentTypedData>
  readonly action: Readonly<Record<string, unknown>>
  readonly nonce: number
  readonly expiresAfter: number
}

/** Prepares one order for a key outside this program. The body is `{action, nonce, signature, expiresAfter}`. */
export function orderToSign(
  order: IocOrder,
  scope: {
    readonly network: Network
    readonly builder: Builder | null
    readonly nonce: number
    readonly expiresAfter: number
  },
): OrderToSign {
  const { network, builder, nonce, expiresAfter } = scope
  const action = orderAction(order, builder)
  const hash = createL1ActionHash({ action, nonce, expiresAfter })
  return { typedData: agentTypedData(network, hash), action, nonce, expiresAfter }
}

function orderAction(order: IocOrder, builder: Builder | null) {
  if (!isWireDecimal(order.price) || !isWireDecimal(order.size) || order.size === '0')
    throw new RangeError('price and size of an order are decimal text of the wire, above zero')
  if (!/^0x[0-9a-f]{32}$/.test(order.cloid)) throw new RangeError('cloid is 16 bytes in lower-case hex')
  if (builder !== null && (!Number.isInteger(builder.fee) || builder.fee < 0 || builder.fee > 100))
    throw new RangeError('builder fee is 0 to 100 tenths of a basis point')
  return canonicalize(OrderRequest.entries.action, {
    type: 'order',
    orders: [
      {
        a: order.asset,
        b: order.side === 'buy',
        p: order.price,
        s: order.size,
        r: order.reduceOnly,
        t: { limit: { tif: 'Ioc' } },
        c: order.cloid,
      },
    ],
    grouping: 'na',
    ...(builder === null ? {} : { builder: { b: lowerAddress(builder.address), f: builder.fee } }),
  })
}

function collateralAction(move: CollateralMove, owner: Address, nonce: number) {
  if (!/^USDC:0x[0-9a-f]{32}$/.test(move.token)) throw new RangeError('collateral is USDC')
  if (!isWireDecimal(move.amountUsdc) || move.amountUsdc === '0' || /\.\d{7}/.test(move.amountUsdc))
    throw new RangeError('amount is decimal text above zero with at most 6 decimals')
  return canonicalize(AgentSendAssetRequest.entries.action, {
    type: 'agentSendAsset',
    destination: lowerAddress(owner),
    sourceDex: move.sourceDex,
    destinationDex: move.destinationDex,
    token: move.token,
    amount: move.amountUsdc,
    fromSubAccount: '',
    nonce,
  })
}

const sign = (account: PrivateKeyAccount, network: Network, action: Readonly<Record<string, unknown>>, when: When) =>
  signL1({ account, network, action, nonce: when.nonce, expiresAfter: when.nowMs + LIFE_MS })
