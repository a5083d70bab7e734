import { ok, refuse } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import { noBalanceProof } from '@svc/contracts/subscriptions/balance-proofs'
import type { BoundHandler } from '@svc/service'
import { accountOf } from '#account-of.ts'
import type { Context } from '#context.ts'
import { proofOf } from '../store/balance-roots.ts'

export const readBalanceProof: BoundHandler<Context, typeof subscriptions.operations.readBalanceProof> =
  ({ pool }) =>
  async ({ day }, call) => {
    const { id } = accountOf(call)
    const proof = await proofOf(pool, id, day ?? null)
    if (proof === null) refuse(noBalanceProof)
    const { entries, balance, head, ...rest } = proof
    return ok(200, { account_id: id, leaf: { entries, balance, head }, ...rest })
  }
