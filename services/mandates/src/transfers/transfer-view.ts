import { decimalText } from './rules/decimal.ts'
import type { Transfer } from './store/transfers.ts'
import type { TransferView } from '@svc/contracts/mandates/transfers'

/** Returns a reported transfer as answers contain it. */
export function transferView({ id, amount, decimals, ...transfer }: Transfer): TransferView {
  return { transfer_id: id, ...transfer, amount: decimalText(amount, decimals) }
}
