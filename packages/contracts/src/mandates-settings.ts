import { protectingSwitchWord, setting, switchWord } from '@svc/contract'
import { z } from 'zod'
import { chainSettings } from './common/chain-settings.ts'

/** Settings of mandates. */
export const mandatesSettings = {
  chainId: chainSettings.chainId,
  deploymentFile: chainSettings.deploymentFile,
  factoryAddress: chainSettings.factoryAddress,
  factoryV2Address: chainSettings.factoryV2Address,
  usdcAddress: chainSettings.usdcAddress,
  testVenueTargets: chainSettings.testVenueTargets,
  confirmations: chainSettings.confirmations,
  approvalEnabled: setting({
    env: 'HUB_APPROVAL_ENABLED',
    schema: protectingSwitchWord,
    default: '1',
    doc: 'Clause 6: relayed execute-call above the approval amount is held; off: nothing is held and clause 6 reads stored_pending.',
  }),
  settleGraceEnabled: setting({
    env: 'HUB_SETTLE_GRACE_ENABLED',
    schema: switchWord,
    default: '0',
    doc: '1 makes close-all skip the owner stop() and stop-call answer a reason between endsAt and endsAt plus one day; keep 0 while the deployed vault lets the owner stop at any time.',
  }),
  hlLegEnabled: setting({
    env: 'HUB_HL_LEG_ENABLED',
    schema: switchWord,
    default: '0',
    live: true,
    doc: "Switch for mandates that trade in the owner's venue account.",
  }),
  bestWayIn: setting({
    env: 'HUB_BEST_WAY_IN',
    schema: z
      .string()
      .max(500)
      .transform((text, check) => {
        try {
          return JSON.parse(text) as unknown
        } catch {
          check.addIssue({ code: 'custom', message: 'must be JSON' })
          return z.NEVER
        }
      })
      .pipe(z.strictObject({ chain: z.string().min(1).max(60), asset: z.string().min(1).max(40) })),
    default: null,
    doc: 'JSON {"chain","asset"} that fills a missing destination in deposit routes.',
  }),
} as const
