import { setting, switchWord } from '@svc/contract'
import { z } from 'zod'

const bytes32 = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url')

/** Settings of subscriptions. */
export const subscriptionsSettings = {
  budgetEnforce: setting({
    env: 'HUB_BUDGET_ENFORCE',
    schema: switchWord,
    default: '0',
    doc: "On: a paid read over the agent's daily_cherry_budget is refused with mandate_budget_exceeded. Off: it is counted and passes.",
  }),
  balanceRootDryRun: setting({
    env: 'SVC_BALANCE_ROOT_DRY_RUN',
    schema: switchWord,
    default: '0',
    doc: 'On: the root over all Cherry balances is computed and logged, but neither stored nor signed.',
  }),
  webhookKey: setting({
    env: 'SVC_WEBHOOK_KEY',
    schema: bytes32,
    default: null,
    secret: true,
    doc: 'Key under which the secrets of webhooks are stored, 32 random bytes in base64url. Without it no webhook is made and nothing is sent.',
  }),
  previousWebhookKey: setting({
    env: 'SVC_WEBHOOK_PREVIOUS_KEY',
    schema: bytes32,
    default: null,
    secret: true,
    doc: 'The SVC_WEBHOOK_KEY being replaced: what is stored under it is read, and stored again under the new key.',
  }),
} as const
