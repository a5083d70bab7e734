import { setting, switchWord } from '@svc/contract'

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
} as const
