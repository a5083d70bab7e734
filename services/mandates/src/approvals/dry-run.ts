import { getAddress, type Hex } from 'viem'
import type { Context } from '#context.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import type { Simulated } from '#neighbours/chain-client.ts'
import type { JudgedCall } from './judge-call.ts'
import { orNull } from '#neighbours/or-null.ts'
import { vaultCalls } from '#books/vault-calls.ts'
import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'

/** A prepared call waits no longer for its dry run than this. */
const WAIT_MS = 2_500

/** Runs a judged call on the newest block without sending it, as the agent; null while no chain is configured. */
export async function dryRun(
  { indexer }: Pick<Context, 'indexer'>,
  mandate: Mandate,
  { call, vault }: JudgedCall,
  deadline?: number,
): Promise<Simulated | null> {
  if (mandate.agent === null) return null
  const prepared = vaultCalls(vault).execute({
    target: getAddress(call.target),
    data: call.data as Hex,
    approveAmount: call.amount,
  })
  const from = getAddress(mandate.agent.wallet)
  return indexer.simulate({ to: prepared.to, from, data: prepared.data }, deadline)
}

/** What a dry run warns of; undefined when the call succeeds. Never rejects because the chain is slow or away. */
export async function warningOf(
  context: Pick<Context, 'indexer'>,
  mandate: Mandate,
  judged: JudgedCall,
  deadline: number,
): Promise<RefusalBlockView['warning']> {
  const found = await orNull(dryRun(context, mandate, judged, Math.min(deadline, Date.now() + WAIT_MS)))
  if (found === null)
    return {
      code: 'not_checked',
      error: null,
      target_error: null,
      detail: 'The chain did not answer in time, so the call was not run: ask again, or send it unchecked.',
    }
  if (found.ok) return undefined
  const { error, target_error } = found
  return {
    code: 'would_revert',
    error,
    target_error,
    detail: `On the newest block this call reverts with ${error}${target_error === null ? '' : ` (the target: ${target_error})`}. Sent now it moves nothing and costs gas: correct data and approve_amount_usdc.`,
  }
}
