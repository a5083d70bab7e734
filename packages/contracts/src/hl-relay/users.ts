import { operation } from '@svc/contract'
import { z } from 'zod'
import { common, queryInt, walletAddress } from '../common.ts'
import { venueBudget } from '../hl-leg/refusals.ts'
import { relayed } from './envelope.ts'
import { ORDERS_MAX, orderHistory, portfolio, userFees } from './venue-shapes.ts'

const user = walletAddress.meta({ description: 'Address of the account at the venue; not of an agent' })
const BUDGET =
  'Reads of accounts share a small part of the requests that the venue allows; without a copy from the last ten minutes they answer 503 venue_budget when it is spent.'

/** Relayed reads of one account at the venue. */
export const userOperations = {
  readOrderHistory: operation({
    summary: "Read an account's orders at the venue, the newest first",
    description: `Any status; open ones too. ${BUDGET}`,
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/info/order-history',
    cacheSec: 5,
    input: z.strictObject({ user, limit: queryInt(1, ORDERS_MAX, 100, 'Orders of the answer') }),
    success: { 200: relayed(orderHistory) },
    refusals: [common.invalidRequest, venueBudget],
  }),
  readFees: operation({
    summary: 'Read the fees that an account pays at the venue',
    description: BUDGET,
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/info/fees',
    cacheSec: 5,
    input: z.strictObject({ user }),
    success: { 200: relayed(userFees) },
    refusals: [common.invalidRequest, venueBudget],
  }),
  readPortfolio: operation({
    summary: 'Read value and profit of an account at the venue over time',
    description: `By span: day, week, month, allTime, and the same of perpetuals alone. ${BUDGET}`,
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/info/portfolio',
    cacheSec: 5,
    input: z.strictObject({ user }),
    success: { 200: relayed(portfolio) },
    refusals: [common.invalidRequest, venueBudget],
  }),
} as const
