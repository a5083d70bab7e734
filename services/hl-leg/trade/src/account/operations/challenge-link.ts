import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { callerOf, RemoteRefusal, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'

export const challengeLink: BoundHandler<Context, typeof hlTrade.operations.challengeLink> =
  ({ identity }) =>
  async ({ wallet_address }, call) => {
    const { account_id } = callerOf(call)
    try {
      return ok(200, await identity.requestLinkNonce({ account_id, wallet_address }))
    } catch (error) {
      // A mistyped address: identity knows its checksum, and names the member as the caller does.
      if (error instanceof RemoteRefusal && error.body.code === common.invalidRequest.code)
        refuse(common.invalidRequest, undefined, {}, error.body.errors ?? [])
      throw error
    }
  }
