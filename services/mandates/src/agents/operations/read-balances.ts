import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { usdcText } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { decimalText } from '#transfers/rules/decimal.ts'
import { agentOfCaller } from '#mandate/parties.ts'
import { transferSums, vaultMoneyOf } from '#transfers/store/transfers.ts'

export const readBalances: BoundHandler<Context, typeof mandates.operations.readBalances> =
  (context) => async (input, call) => {
    const { pool, deployment, chainClient } = context
    const agent = await agentOfCaller(context, input.agent_id, call)
    const [sums, money, inWallet] = await Promise.all([
      transferSums(pool, input.agent_id),
      vaultMoneyOf(pool, input.agent_id, call.now),
      deployment.usdc === null ? null : chainClient.usdcOf(deployment.usdc, agent.wallet),
    ])
    const chains = new Set([deployment.chainId, ...money.map(({ chain_id }) => chain_id)])
    const usdc = [...chains].map((chain_id) => {
      const vaults = money.find((one) => one.chain_id === chain_id)
      const moved = sums.find((one) => one.chain_id === chain_id && one.asset === 'USDC')
      const free = atLeastZero((vaults?.in_vaults ?? 0n) - (vaults?.held ?? 0n))
      const wallet = chain_id === deployment.chainId ? inWallet : null
      return {
        chain_id,
        asset: 'USDC',
        idle: wallet === null ? null : usdcText(wallet + free),
        idle_in_wallet: wallet === null ? null : usdcText(wallet),
        idle_in_vaults: usdcText(free),
        reserved: usdcText(vaults?.held ?? 0n),
        in_transit: usdcText(moved?.in_transit ?? 0n),
        delivered: usdcText(moved?.delivered ?? 0n),
      }
    })
    const others = sums.filter(({ chain_id, asset }) => asset !== 'USDC' || !chains.has(chain_id))
    return ok(200, {
      agent_id: input.agent_id,
      items: [
        ...usdc,
        ...others.map(({ chain_id, asset, decimals, in_transit, delivered }) => ({
          chain_id,
          asset,
          idle: null,
          idle_in_wallet: null,
          idle_in_vaults: '0',
          reserved: '0',
          in_transit: decimalText(in_transit, decimals),
          delivered: decimalText(delivered, decimals),
        })),
      ],
      computed_at: call.now.toISOString(),
    })
  }

const atLeastZero = (amount: bigint) => (amount < 0n ? 0n : amount)
