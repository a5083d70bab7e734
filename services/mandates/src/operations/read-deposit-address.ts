import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import { getAddress } from 'viem'
import { agentOf } from '../agent-of.ts'
import type { Context } from '../context.ts'

export const readDepositAddress: BoundHandler<Context, typeof mandates.operations.readDepositAddress> =
  (context) => async (input, call) => {
    const agent = await agentOf(context, call, input.agent_id)
    const watched = input.chain_id === context.place.chainId && context.place.factory !== null
    return ok(200, {
      ok: true as const,
      agent_id: input.agent_id,
      chain_id: input.chain_id,
      address: getAddress(agent.wallet),
      custody: false as const,
      watched,
      detail: watched
        ? "The agent's own wallet. The service holds no key to it; money for a mandate goes into its vault instead."
        : "The agent's own wallet. This deployment does not read that chain and sees nothing that is sent there.",
    })
  }
