import { setting, switchWord } from '@svc/contract'
import { z } from 'zod'
import { walletAddress } from '../common.ts'

const amount = z.string().regex(/^\d{1,12}(\.\d{1,6})?$/, 'must be an amount of USDC')

/** Settings of the trading side, where an owner trades an own account at the venue. */
export const tradeSettings = {
  liveTrading: setting({
    env: 'SVC_LIVE_TRADING_ENABLED',
    schema: switchWord,
    default: '0',
    live: true,
    doc: 'Allows live orders of linked accounts. Off: paper orders and closes only.',
  }),
  tradeNetwork: setting({
    env: 'SVC_TRADE_NETWORK',
    schema: z.enum(['testnet', 'mainnet']),
    default: 'testnet',
    doc: 'Network of the venue for the trading side and its relays; the leg has its own.',
  }),
  tradeSeed: setting({
    env: 'SVC_TRADE_AGENT_SEED',
    schema: z.string().regex(/^(0x)?[0-9a-fA-F]{64}$/, 'must be 32 bytes in hex'),
    default: null,
    secret: true,
    doc: 'Seed of the order keys of linked accounts, 64 hex characters; never the seed of the leg. Another seed ends every enabled order key.',
  }),
  builderAddress: setting({
    env: 'SVC_BUILDER_ADDRESS',
    schema: walletAddress,
    default: null,
    doc: 'Address that receives the builder fee of orders at the venue. Unset: no builder fee is configured, and server-signed orders are off.',
  }),
  orderCapUsdc: setting({
    env: 'SVC_ORDER_CAP_USDC',
    schema: amount,
    default: '100',
    doc: 'Most notional of one order of an account, live or on paper, in USDC, until its owner lowers or raises it.',
  }),
  orderDailyCapUsdc: setting({
    env: 'SVC_ORDER_DAILY_CAP_USDC',
    schema: amount,
    default: '500',
    doc: 'Most notional of the opening orders of an account in a UTC day, live and on paper apart, in USDC, until its owner lowers or raises it.',
  }),
  orderCapMaxUsdc: setting({
    env: 'SVC_ORDER_CAP_MAX_USDC',
    schema: amount,
    default: '1000',
    doc: 'Cap of one order beyond which no step of POST /hub/order/cap/raise goes, in USDC.',
  }),
} as const
