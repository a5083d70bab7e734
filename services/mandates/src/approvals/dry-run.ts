import { getAddress, type Hex } from 'viem'
import type { Context } from '#context.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import type { Simulated } from '#neighbours/chain-client.ts'
import type { JudgedCall } from './judge-call.ts'
import { orNull } from '#neighbours/or-null.ts'
import { vaultCalls } from '#books/vault-calls.ts'
import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'

/** The longest time that a prepared call waits for its dry run. */
const WAIT_MS = 2_500

/** Runs a judged call as the agent on the newest block without sending it; null without a configured chain. */
export async function dryRun(
  { chainClient }: Pick<Context, 'chainClient'>,
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
  return chainClient.simulate({ to: prepared.to, from, data: prepared.data }, deadline)
}

/** Returns the warning of a dry run; undefined if the call succeeds. A slow or unavailable chain gives a warning as well. */
export async function warningOf(
  context: Pick<Context, 'chainClient'>,
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
