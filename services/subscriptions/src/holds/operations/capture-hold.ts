import { refuse } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import { holdEnded, unknownHold } from '@svc/contracts/subscriptions/holds'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { endHold } from '../end-hold.ts'
import { endView, formerEndView } from '../hold-view.ts'
import { lockHold } from '../lock-hold.ts'

export const captureHold: BoundHandler<Context, typeof subscriptions.operations.captureHold> =
  () =>
  async ({ hold_id, resources }, call) =>
    call.effect(async (tx) => {
      const locked = await lockHold(tx, hold_id)
      if (locked === null) refuse(unknownHold)
      const { hold, spentBefore } = locked
      if (hold.state === 'captured') return formerEndView(tx, hold)
      if (hold.state !== 'held') refuse(holdEnded, undefined, { state: hold.state })
      // Its Cherry belongs to the account again from this moment on, whenever the job runs.
      if (Date.parse(hold.expires_at) <= call.now.getTime()) refuse(holdEnded, undefined, { state: 'expired' })
      return endView(await endHold(tx, hold, { state: 'captured', resources, spentBefore, at: call.now }))
    })
