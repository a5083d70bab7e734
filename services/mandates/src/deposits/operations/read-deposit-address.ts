import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import { getAddress } from 'viem'
import type { Context } from '#context.ts'
import { agentOfCaller } from '#mandate/parties.ts'
import { putDepositAddress } from '../store/deposits.ts'

export const readDepositAddress: BoundHandler<Context, typeof mandates.operations.readDepositAddress> =
  (context) => async (input, call) => {
    const agent = await agentOfCaller(context, input.agent_id, call)
    const { deployment, chainClient, pool } = context
    const read = input.chain_id === deployment.chainId && deployment.factory !== null
    if (read) await putDepositAddress(pool, { chainId: input.chain_id, address: agent.wallet, agentId: input.agent_id })
    const watched = read && (await chainClient.watchDeposits(agent.wallet))
    return ok(200, {
      ok: true as const,
      agent_id: input.agent_id,
      chain_id: input.chain_id,
      address: getAddress(agent.wallet),
      custody: false as const,
      watched,
      detail: detailOf(read, watched),
    })
  }

function detailOf(read: boolean, watched: boolean): string {
  if (watched)
    return "The agent's own wallet. The service holds no key to it. USDC that arrives from now on is seen in the agent's activity; money for a mandate goes into its vault instead."
  if (read) return "The agent's own wallet. The chain cannot be watched at the moment: ask again before you send."
  return "The agent's own wallet. This deployment does not read that chain and sees nothing that is sent there."
}
