import type { Answer } from '../../lib/routes-of-api.ts'

/** The record of an agent as the Hall answers it. */
export type AgentAnswer = Answer<'GET /hub/hall/{agent_id}'>
