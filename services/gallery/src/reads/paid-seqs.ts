import { PAID_ASKED_MAX } from '@svc/contracts/subscriptions/holds'
import type { Context } from '#context.ts'
import { resourceOf } from './rules/read-key.ts'

/** Returns which signals of a vault at least one of these accounts, ten at most, has paid for. Rejects with an outage. */
export async function paidSeqs(
  { ask }: Context,
  accountIds: readonly number[],
  vaultId: string,
  seqs: readonly number[],
): Promise<ReadonlySet<number>> {
  const paid = new Set<number>()
  for (let start = 0; start < seqs.length; start += PAID_ASKED_MAX) {
    const resources = seqs.slice(start, start + PAID_ASKED_MAX).map((seq) => resourceOf(vaultId, seq))
    const answer = await ask.subscriptions.readPaid({ account_ids: [...accountIds], resources })
    for (const resource of answer.resources) paid.add(Number(resource.slice(vaultId.length + 1)))
  }
  return paid
}
