import type { hlLeg } from '@svc/contracts/hl-leg'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { bindLeg } from './legs/operations/bind-leg.ts'
import { prepareApproval } from './legs/operations/prepare-approval.ts'
import { readExitKit } from './legs/operations/read-exit-kit.ts'
import { readLeg } from './legs/operations/read-leg.ts'
import { readLegOfOwner } from './legs/operations/read-leg-of-owner.ts'
import { unbindLeg } from './legs/operations/unbind-leg.ts'
import { placeLegOrder } from './orders/operations/place-leg-order.ts'
import { readFollowOrder } from './follows/operations/read-follow-order.ts'
import { simulateLegOrder } from './orders/operations/simulate-leg-order.ts'
import { advanceLegTransfer } from './money/operations/advance-leg-transfer.ts'
import { listLegDebts } from './debts/operations/list-leg-debts.ts'
import { listLegTransfers } from './money/operations/list-leg-transfers.ts'
import { openLegTransfer } from './money/operations/open-leg-transfer.ts'
import { prepareLegReturn } from './money/operations/prepare-leg-return.ts'
import { readFollowLegs } from './follows/operations/read-follow-legs.ts'
import { readLegMoney } from './money/operations/read-leg-money.ts'
import { readLegWorths } from './money/operations/read-leg-worths.ts'
import { returnLegMoney } from './money/operations/return-leg-money.ts'
import { sendPoolTransfer } from './money/operations/send-pool-transfer.ts'
import { writeOffLegDebt } from './debts/operations/write-off-leg-debt.ts'
import { listLegMarkets } from './venue/operations/list-leg-markets.ts'
import { spendVenueWeight } from './venue/operations/spend-venue-weight.ts'

/** The function of each operation. */
export const handlers = {
  readLeg,
  prepareApproval,
  bindLeg,
  unbindLeg,
  readExitKit,
  readLegOfOwner,
  placeLegOrder,
  readFollowOrder,
  simulateLegOrder,
  readLegMoney,
  readFollowLegs,
  prepareLegReturn,
  returnLegMoney,
  readLegWorths,
  listLegTransfers,
  openLegTransfer,
  advanceLegTransfer,
  sendPoolTransfer,
  listLegDebts,
  writeOffLegDebt,
  listLegMarkets,
  spendVenueWeight,
} satisfies Handlers<Context, typeof hlLeg>
