import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { usdcUnits } from '@svc/contracts/common/usdc'
import { usdcText } from '@svc/limits'
import type { Tx } from '@svc/postgres'
import type { BoundHandler } from '@svc/service'
import { getAddress, type Hex } from 'viem'
import { dataMember } from '#books/rules/called-data.ts'
import { appendEntry } from '#record/append-entry.ts'
import { approvalView } from '../approval-view.ts'
import { preparedView } from '#prepared-call-view.ts'
import { factsChanged } from '#mandate/facts-changed.ts'
import type { Context } from '#context.ts'
import { callText } from '#limits/call-text.ts'
import { contractMarkets } from '#limits/market-catalogue.ts'
import { givenCall, isNamed, namedCall } from '#limits/venue-calls.ts'
import { warningOf } from '../dry-run.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { judgeCall, type JudgedCall } from '../judge-call.ts'
import { holdItem, type NewItem } from '../hold-item.ts'
import { lapseOf } from '../lapse-approvals.ts'
import { mandateOfCaller, lockMandateOfCaller } from '#mandate/parties.ts'
import { insertRefusal, refusedSince } from '#record/store/refusals.ts'
import { vaultCalls } from '#books/vault-calls.ts'
import { vaultNotAttached } from '@svc/contracts/mandates/refusals'
import { mandateRefuses } from '@svc/contracts/mandates/approvals'
import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'

/** A call refused again for the same reason within this time is recorded once. */
const REPEAT_MS = 60_000

export const prepareExecution: BoundHandler<Context, typeof mandates.operations.prepareExecution> =
  (context) => async (input, call) => {
    const named = isNamed(input) ? namedCall(input, await context.catalogue.marketsAt(call.now)) : givenCall(input)
    const meant = {
      target: getAddress(named.target.toLowerCase()),
      data: named.data.toLowerCase(),
      amount: usdcUnits(input.approve_amount_usdc),
    }
    const said = callText(meant, contractMarkets(context.deployment))
    const meaning = said === null ? {} : { meaning: said }
    const seen = await mandateOfCaller(context.pool, input.public_id, call)
    // Most calls pass and write nothing, so they take no lock.
    const first = await judgeCall(context.pool, context, seen, meant, call.now)
    if (first === null) refuse(vaultNotAttached)
    const mayBeSent = first.block.kind === null || first.block.code === 'approval_required'
    // Awaited before the transaction begins, so that no lock waits for the chain.
    const warning = input.check === '1' && mayBeSent ? await warningOf(context, seen, first, call.deadline) : undefined
    if (first.block.kind === null) return passing(seen, first, { warning, meaning })

    const answer = await call.effect(async (tx) => {
      const mandate = await lockMandateOfCaller(tx, input.public_id, call)
      await lapseOf(tx, mandate, call.now)
      const judged = await judgeCall(tx, context, mandate, meant, call.now)
      if (judged === null) refuse(vaultNotAttached)
      if (judged.block.kind === null) return passing(mandate, judged, { warning, meaning })
      if (judged.block.code !== 'approval_required') {
        await recordRefusal(tx, mandate, judged, call.now)
        return ok(409, judged.block)
      }
      const item = judged.item ?? (await holdItem(tx, context, mandate, heldCall(judged), call.now))
      // The newly held amount reduces what else passes.
      const held = judged.item === null ? await judgeCall(tx, context, mandate, meant, call.now) : judged
      return ok(202, {
        ok: true as const,
        code: 'pending_approval' as const,
        public_id: mandate.publicId,
        ...meaning,
        approval: approvalView(mandate.publicId, item, call.now),
        judgement: withWarning((held ?? judged).block, warning),
      })
    })
    if (answer.status === 409) refuse(mandateRefuses, answer.body.fix ?? undefined, { refusal: answer.body })
    return answer
  }

type Warning = RefusalBlockView['warning']

const withWarning = (block: RefusalBlockView, warning: Warning): RefusalBlockView =>
  warning === undefined ? block : { ...block, warning }

interface Further {
  readonly warning: Warning
  readonly meaning: { readonly meaning?: string }
}

function passing(mandate: Mandate, { call, vault, item, block }: JudgedCall, { warning, meaning }: Further) {
  const execution = { target: getAddress(call.target), data: call.data as Hex, approveAmount: call.amount }
  const approved = item?.status === 'approved' ? item : null
  return ok(200, {
    public_id: mandate.publicId,
    ...meaning,
    ...preparedView(vaultCalls(vault).execute(execution), mandate.agent),
    approval_id: approved?.id ?? null,
    expires_at: approved?.expires_at ?? null,
    judgement: withWarning(block, warning),
  })
}

const heldCall = ({ call, callHash, block }: JudgedCall): NewItem => ({
  judgement: block,
  kind: 'call',
  call_hash: callHash,
  leg_order: null,
  ...call,
})

async function recordRefusal(
  tx: Tx,
  mandate: Mandate,
  { call, callHash, block }: JudgedCall,
  now: Date,
): Promise<void> {
  const code = block.code ?? 'server_guard'
  if (await refusedSince(tx, mandate.id, callHash, code, new Date(now.getTime() - REPEAT_MS))) return
  const kind = block.kind ?? 'server_guard'
  const source = block.source
  await insertRefusal(tx, { mandateId: mandate.id, kind, code, source, txHash: null, callHash, at: now })
  await factsChanged(tx, mandate, now)
  await appendEntry(tx, mandate, {
    at: now,
    kind: 'refused',
    source: 'server',
    body: {
      kind,
      code,
      clause: block.clause,
      target: call.target,
      selector: call.data.slice(0, 10),
      ...dataMember(call.data),
      amount_usdc: usdcText(call.amount),
    },
  })
}
