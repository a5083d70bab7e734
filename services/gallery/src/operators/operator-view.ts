import type { operatorEntry } from '@svc/contracts/gallery/operators'
import type { z } from 'zod'
import type { Operator } from './store/operators.ts'

/** Returns an operator as admins see it. */
export const operatorView = ({ id, ...operator }: Operator): z.output<typeof operatorEntry> => ({
  operator_id: id,
  agent_id: operator.agent_id,
  kind: operator.kind,
  title: operator.title,
  house: operator.house,
  vault_id: operator.vault_id,
  source: operator.source,
  created_at: operator.created_at,
  ended_at: operator.ended_at,
})
