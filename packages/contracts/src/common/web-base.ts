import { setting } from '@svc/contract'
import { z } from 'zod'

/** Address of the human pages, for links that leave the deployment. */
export const publicWebBase = setting({
  env: 'HUB_PUBLIC_WEB_BASE',
  schema: z
    .url({ protocol: /^https$/ })
    .nullable()
    .catch(null),
  default: null,
  doc: 'Base of the links in alerts to owners, and of llms.txt in GET /hub/door. Must be https; SVC_PUBLIC_URL is used instead of any other value.',
})
