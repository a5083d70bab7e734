import { ok, refuse } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import { operatorExists } from '@svc/contracts/gallery/operators'
import { unknownAgent } from '@svc/contracts/mandates/refusals'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { newId } from '#new-id.ts'
import { operatorView } from '../operator-view.ts'
import { insertOperator, lockAgent, operatorsOf } from '../store/operators.ts'

export const addOperator: BoundHandler<Context, typeof gallery.operations.addOperator> =
  ({ ask }) =>
  async ({ agent_id: agentId, kind, title, house }, call) => {
    const { agents } = await ask.identity.readAgents({ agent_ids: [agentId] })
    if ((agents[0] ?? null) === null) refuse(unknownAgent)
    return call.effect(async (tx) => {
      await lockAgent(tx, agentId)
      const same = (await operatorsOf(tx, [agentId])).find(
        (operator) => operator.ended_at === null && operator.kind === kind && operator.title === title,
      )
      if (same !== undefined) refuse(operatorExists, undefined, { operator_id: same.id })
      const operator = {
        id: newId('opr'),
        vaultId: newId('opv'),
        agentId,
        kind,
        title,
        house,
        source: 'admin',
      } as const
      return ok(201, { ok: true as const, operator: operatorView(await insertOperator(tx, operator, call.now)) })
    })
  }
