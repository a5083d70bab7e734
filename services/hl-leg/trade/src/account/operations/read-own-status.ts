import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { callerOf, type BoundHandler } from '@svc/service'
import { isAddress, type Address } from 'viem'
import type { Context } from '#context.ts'
import { ownStatusOf } from '../own-status.ts'
import { linkOf } from '../store/own-accounts.ts'

export const readOwnStatus: BoundHandler<Context, typeof hlTrade.operations.readOwnStatus> =
  (context) =>
  async ({ web_address }, call) => {
    const { account_id } = callerOf(call)
    const link = await linkOf(context.pool, context.settings.network, account_id)
    const webAddress = web_address === undefined ? null : webAddressOf(web_address, link?.wallet ?? null)
    return ok(200, await ownStatusOf(context, link, webAddress))
  }

/** Returns the address of the browser's key in lower case; refuses a mistyped one and the wallet itself. */
function webAddressOf(text: string, wallet: string | null): Address {
  const lower = text.toLowerCase() as Address
  const isOneCase = text.slice(2) === lower.slice(2) || text.slice(2) === lower.slice(2).toUpperCase()
  const problem = (code: string, detail: string) =>
    refuse(common.invalidRequest, undefined, {}, [{ pointer: '/web_address', code, detail }])
  if (!isOneCase && !isAddress(text)) return problem('checksum', 'the mixed-case checksum (EIP-55) does not fit')
  if (/^0x0+$/.test(lower)) return problem('zero', 'the zero address belongs to nobody')
  if (lower === wallet) return problem('wallet', 'must be a new key of the browser, not the linked wallet')
  return lower
}
