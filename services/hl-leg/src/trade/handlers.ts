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
} satisfies Handlers<Context, typeof hlTrade>
