import type { z } from 'zod'
import type { catalogueOperations } from '@svc/contracts/hl-relay/catalogue'
import type { stationOperations } from '@svc/contracts/hl-relay/station'
import type { OwnStatusView, accountOperations } from '@svc/contracts/hl-trade/account'
import type { bookOperations } from '@svc/contracts/hl-trade/books'
import type { pageOperations } from '@svc/contracts/hl-trade/pages'
import type { orderOperations } from '@svc/contracts/hl-trade/orders'

type Answer<Operation extends { readonly success: Readonly<Record<number, z.ZodType>> }> = z.output<
  Operation['success'][200]
>

/** Answers that the trade page shows. */
export type Products = Answer<typeof catalogueOperations.listProducts>
export type Product = Products['items'][number]
export type Sessions = Answer<typeof stationOperations.listSessions>
export type Session = Sessions['items'][number]
export type BuilderConfig = Answer<typeof stationOperations.readBuilderFee>
export type Trader = Answer<typeof pageOperations.readTrader>
export type Positions = Answer<typeof pageOperations.readPositions>
export type Position = Positions['paper'][number]
export type Limits = Trader['limits']
export type Placed = Answer<typeof pageOperations.placePageOrder>
export type ToSign = Extract<
  z.output<(typeof pageOperations.placePageOrder)['success'][202]>,
  { code: 'signature_required' }
>
export type Estimate = ToSign['estimate']
export type OwnStatus = OwnStatusView
export type Terms = Answer<typeof accountOperations.readOwnTerms>
export type AgentStatus = Answer<typeof orderOperations.readAgentStatus>
export type Books = Answer<typeof bookOperations.listPaperBooks>
export type Pending = Answer<typeof orderOperations.listPendingOrders>
export type TradeMode = Trader['mode']
