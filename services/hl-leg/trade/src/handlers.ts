import type { hlTrade } from '@svc/contracts/hl-trade'
import type { Handlers } from '@svc/service'
import { challengeLink } from './account/operations/challenge-link.ts'
import { countBuilderFees } from './account/operations/count-builder-fees.ts'
import { linkOwnAccount } from './account/operations/link-own-account.ts'
import { readBuilderFeeStatus } from './account/operations/read-builder-fee-status.ts'
import { readOwnStatus } from './account/operations/read-own-status.ts'
import { readOwnTerms } from './account/operations/read-own-terms.ts'
import { recordBuilderFee } from './account/operations/record-builder-fee.ts'
import { recordIntent } from './account/operations/record-intent.ts'
import { relayApproval } from './account/operations/relay-approval.ts'
import { verifyApprovals } from './account/operations/verify-approvals.ts'
import { createPaperBook } from './books/operations/create-paper-book.ts'
import { listPaperBooks } from './books/operations/list-paper-books.ts'
import { readPaperBook } from './books/operations/read-paper-book.ts'
import type { Context } from './context.ts'
import { executeOrder } from './orders/operations/execute-order.ts'
import { listOrders } from './orders/operations/list-orders.ts'
import { readOrder } from './orders/operations/read-order.ts'
import { listPendingOrders } from './orders/operations/list-pending-orders.ts'
import { prepareOrder } from './orders/operations/prepare-order.ts'
import { raiseOrderCap } from './orders/operations/raise-order-cap.ts'
import { readAgentStatus } from './orders/operations/read-agent-status.ts'
import { readOrderCap } from './orders/operations/read-order-cap.ts'
import { recordOrder } from './orders/operations/record-order.ts'
import { closePosition } from './pages/operations/close-position.ts'
import { lowerLimits } from './pages/operations/lower-limits.ts'
import { placePageOrder } from './pages/operations/place-page-order.ts'
import { readPositions } from './pages/operations/read-positions.ts'
import { readTrader } from './pages/operations/read-trader.ts'

/** The function of each operation. */
export const handlers = {
  readOwnTerms,
  challengeLink,
  linkOwnAccount,
  readOwnStatus,
  relayApproval,
  verifyApprovals,
  recordIntent,
  recordBuilderFee,
  readBuilderFeeStatus,
  countBuilderFees,
  createPaperBook,
  listPaperBooks,
  readPaperBook,
  executeOrder,
  listPendingOrders,
  listOrders,
  readOrder,
  prepareOrder,
  raiseOrderCap,
  readAgentStatus,
  readOrderCap,
  recordOrder,
  closePosition,
  lowerLimits,
  placePageOrder,
  readPositions,
  readTrader,
} satisfies Handlers<Context, typeof hlTrade>
