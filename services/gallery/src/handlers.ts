import type { gallery } from '@svc/contracts/gallery'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { listOperatorEntries } from './operators/operations/list-operator-entries.ts'

export const handlers = { listOperatorEntries } satisfies Handlers<Context, typeof gallery>
