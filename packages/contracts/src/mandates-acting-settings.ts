import { setting } from '@svc/contract'
import { z } from 'zod'

const count = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
const WEB_BASE = 'https://localhost'

/** Settings of held calls, alerts and worth. */
export const actingSettings = {
  approvalTtlHours: setting({
    env: 'HUB_APPROVAL_TTL_HOURS',
    schema: count(1, 720),
    default: '24',
    doc: 'Life of a pending or approved approval item, in hours; it starts anew with the approval.',
  }),
  approvalMaxOpen: setting({
    env: 'HUB_APPROVAL_MAX_OPEN',
    schema: count(1, 1000),
    default: '10',
    doc: 'Pending items per mandate; beyond it the agent is refused with rate_limited.',
  }),
  publicWebBase: setting({
    env: 'HUB_PUBLIC_WEB_BASE',
    schema: z.url({ protocol: /^https$/ }).catch(WEB_BASE),
    default: WEB_BASE,
    doc: 'Base of the links in alerts to owners; only https values are accepted, otherwise the default applies.',
  }),
} as const
