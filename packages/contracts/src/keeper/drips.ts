import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { common, instant, okTrue, dryRun, ranDry } from '../common.ts'
import { dripSettings } from '../common/drip-settings.ts'
import { chainId, txHash } from '../mandates/fields.ts'

/** Amount of ether, decimal string. */
const eth = z
  .string()
  .max(40)
  .regex(/^\d{1,20}(\.\d{1,18})?$/)
  .meta({ description: 'ETH, at most 18 decimals', example: '0.002' })

/** What a call for a gas drip answers. */
export const gasDrip = z
  .object({
    ok: okTrue,
    status: z.enum(['sent', 'not_needed', 'already', 'capped', 'not_eligible', 'disabled']).meta({
      description:
        'sent: the drip is on its way; not_needed: the balance suffices; already: the wallet, or two wallets of the account, got theirs; ' +
        'capped: nothing is sent today or while funds are low; not_eligible: the account has no mandate yet; disabled: this deployment sends none',
    }),
    dry_run: ranDry,
    tx_hash: txHash.optional().meta({
      description: 'Transaction of the drip; with sent but for a dry run, and with already for this wallet',
    }),
    amount_eth: eth.optional().meta({ description: 'Amount of the drip; with sent' }),
    balance_eth: eth.optional().meta({ description: 'Balance of your wallet before this call; absent when disabled' }),
    next_eligible_at: instant.optional().meta({
      description: 'When another call may send a drip, if that is known; absent if none will be sent',
    }),
    reason: z
      .enum(['daily_cap', 'funding_low', 'no_mandate_yet'])
      .optional()
      .meta({ description: 'With capped: daily_cap or funding_low; with not_eligible: no_mandate_yet' }),
    chain_id: chainId.nullable().meta({ description: 'Chain of the drip; null while no chain is configured' }),
  })
  .meta({ title: 'GasDrip' })
export type GasDrip = z.output<typeof gasDrip>

/** Operations on gas drips. */
export const dripOperations = {
  dripGas: operation({
    summary: 'Get a little test ETH for gas, sent to your own wallet on the test chain',
    description:
      "For accounts that own a draft, signed or working mandate, or are the agent of a signed or working one. It pays the owner's wallet for a session and the agent's for a key, never an address from the request. " +
      'A wallet gets one drip, and a second one at least 7 days later when it has less than 0.0001 ETH; an account gets drips for two wallets. One call per 10 seconds. ' +
      'A drip is paid once also without an Idempotency-Key: after a 503, call again.',
    auth: 'account',
    limit: 'hub_write',
    http: 'POST /hub/gas/drip',
    tool: 'hub_gas_drip',
    toolTitle: 'Get test ETH for gas',
    mayLose: 'Nothing: the service pays.',
    toolSwitches: [dripSettings.dripEnabled],
    effect: 'money',
    onlyGives: true,
    reaches: 'outside',
    idempotent: true,
    keepsKey: true,
    timeoutMs: 20_000,
    input: z.strictObject({ dry_run: dryRun }),
    success: { 200: gasDrip },
    refusals: [common.rateLimited],
  }),
} as const

/** Jobs on gas drips. */
export const dripJobs = {
  watchFunder: job({
    summary: 'Compare the account that pays drips with the stored rows, and tell the operators when its balance is low',
    everyMs: 60_000,
    wokenBy: ['dripGas'],
    max: 10,
    budgetSec: 30,
  }),
} as const
