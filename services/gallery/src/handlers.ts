import type { gallery } from '@svc/contracts/gallery'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { addOperator } from './operators/operations/add-operator.ts'
import { listOperatorEntries } from './operators/operations/list-operator-entries.ts'
import { removeOperator } from './operators/operations/remove-operator.ts'

export const handlers = { addOperator, listOperatorEntries, removeOperator } satisfies Handlers<Context, typeof gallery>
