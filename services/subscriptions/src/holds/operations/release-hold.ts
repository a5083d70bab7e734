import { refuse } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import { unknownHold } from '@svc/contracts/subscriptions/holds'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { endHold } from '../end-hold.ts'
import { endView, formerEndView } from '../hold-view.ts'
import { lockHold } from '../lock-hold.ts'

export const releaseHold: BoundHandler<Context, typeof subscriptions.operations.releaseHold> =
  () =>
  async ({ hold_id }, call) =>
    call.effect(async (tx) => {
      const locked = await lockHold(tx, hold_id)
      if (locked === null) refuse(unknownHold)
      const { hold, spentBefore } = locked
      if (hold.state !== 'held') return formerEndView(tx, hold)
      return endView(await endHold(tx, hold, { state: 'released', resources: [], spentBefore, at: call.now }))
    })
