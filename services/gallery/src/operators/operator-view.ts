import type { operatorEntry } from '@svc/contracts/gallery/operators'
import type { z } from 'zod'
import type { Operator } from './store/operators.ts'

/** Returns an operator as admins see it. */
export const operatorView = ({ id, ended_by: _, ...operator }: Operator): z.output<typeof operatorEntry> => ({
  operator_id: id,
  ...operator,
})
