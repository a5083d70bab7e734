import type { Answer } from '../../lib/routes-of-api.ts'

/** A paired agent. */
export type Agent = Answer<'GET /hub/agents'>['items'][number]
