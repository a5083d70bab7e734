import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { mandateOfCaller } from '#mandate/parties.ts'
import { callsOfStatement } from '../calls-of-statement.ts'
import { statementFile } from '../statement-file.ts'
import { CALLS_MAX } from '../statement-rows.ts'
import { statementOf, weekAsked } from '../statement-of.ts'
import { wrongState } from '@svc/contracts/mandates/refusals'

const WITH_STATEMENT = ['signed', 'working', 'paused', 'stopped', 'ended', 'closed'] as const

export const readStatement: BoundHandler<Context, typeof mandates.operations.readStatement> =
  (context) => async (input, call) => {
    const week = weekAsked(input.week, call.now)
    const mandate = await mandateOfCaller(context.pool, input.public_id, call)
    if (mandate.state === 'draft') refuse(wrongState, undefined, { state: 'draft', allowed: WITH_STATEMENT })
    const statement = await statementOf(context, mandate, week, call.now)
    if (input.format === 'json') return ok(200, statement)
    const name = `statement-${mandate.publicId}-${week.name}`
    const calls = await callsOfStatement(context, mandate, week, CALLS_MAX)
    const inputs = { period: statement, items: [statement], own: null, calls }
    return ok(200, { file: await statementFile(context, name, inputs) })
  }
