import { z } from 'zod'
import { accountId, instant, strangersText } from '../common.ts'
import { legState } from '../hl-leg/refusals.ts'
import { mandateLimits } from './limit-schemas.ts'
import { address, chainId, count, mandateState, publicId, sentence, usdc } from './fields.ts'

/** The designated agent. */
export const agentView = z.object({
  agent_id: accountId,
  wallet: address,
  accepted_at: instant.nullable(),
  name: strangersText(64)
    .nullable()
    .meta({ description: 'Name that the agent chose; shown to the owner only, null when unknown' }),
  last_seen_at: instant.nullable().meta({ description: 'Shown to the owner only; null when unknown' }),
  channel: z.enum(['http', 'mcp']).nullable().meta({ description: 'Shown to the owner only; null when unknown' }),
})

/** What every view of a mandate begins with. */
export const mandateBase = {
  public_id: publicId,
  name: strangersText(80),
  state: mandateState,
  owner_id: accountId,
  owner_wallet: address,
  created_at: instant,
  changed_at: instant,
  expires_at: instant.nullable().meta({ description: 'When the draft expires; null once signed' }),
}

/** A mandate in lists and in answers to changes. */
export const mandateSummary = z
  .object({
    ...mandateBase,
    agent: agentView.pick({ agent_id: true, wallet: true, accepted_at: true }).nullable(),
    limits: mandateLimits,
    vault: address.nullable(),
    chain_id: chainId.nullable(),
  })
  .meta({ title: 'MandateSummary' })
export type MandateSummary = z.output<typeof mandateSummary>

/** The vault according to chain facts. */
export const chainState = z
  .object({
    chain_id: chainId,
    vault: address,
    factory: address,
    version: z.union([z.literal(1), z.literal(2)]),
    phase: z
      .enum(['working', 'paused', 'stopped', 'ended', 'closed'])
      .meta({ description: 'phase() of the vault contract' }),
    agent: address.nullable().meta({ description: 'Address that may act now; null if nobody may' }),
    principal_usdc: usdc,
    balance_usdc: usdc.meta({ description: 'USDC in the books of the vault, without the fee' }),
    withdrawn_usdc: usdc,
    leg: z
      .object({
        open: z.boolean().meta({ description: 'From the first funding until the last return' }),
        out_usdc: usdc.meta({ description: 'USDC of the vault that is at the leg' }),
        funded_usdc: usdc,
        returned_usdc: usdc,
      })
      .nullable()
      .meta({ description: 'Money of the leg in the books of the vault; null if the vault funds no leg' }),
    stop_reason: z.enum(['owner', 'stop_line']).nullable(),
    stopped_at: instant.nullable(),
    settled: z.boolean(),
    as_of_block: count.nullable().meta({ description: 'Block of the newest chain fact; null before the first' }),
    open_until_stopped: z.boolean().meta({
      description: 'True while the vault still accepts the agent although the mandate is stopped in the record',
    }),
  })
  .meta({ title: 'ChainState' })

/** Whether the owner can withdraw. */
export const withdrawLock = z
  .object({
    locked: z.boolean(),
    reason: z.enum(['open', 'settle_grace']).nullable(),
    until: instant.nullable(),
    detail: sentence.nullable(),
  })
  .meta({ title: 'WithdrawLock' })

/** The leg of a mandate as hl-leg told of it last. */
export const legOfMandate = z
  .object({
    state: legState,
    network: z.enum(['testnet', 'mainnet']),
    agent_address: address.nullable().meta({ description: "Address of the leg's key; null before its first approval" }),
    epoch: count,
    valid_until: instant.nullable().meta({ description: 'When the approval of the key ends' }),
    changed_at: instant,
  })
  .meta({ title: 'LegOfMandate' })
