import type { TransferView } from '@svc/contracts/mandates-agents'
import { decimalText } from './domain/decimal.ts'
import type { Transfer } from './store/transfers.ts'

/** A reported transfer as answers give it. */
export function transferView({ id, amount, decimals, ...transfer }: Transfer): TransferView {
  return { transfer_id: id, ...transfer, amount: decimalText(amount, decimals) }
}
