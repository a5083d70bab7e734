import type { Answer } from '../../lib/routes-of-api.ts'

/** A weekly statement as JSON. */
export type Statement = Extract<Answer<'GET /hub/mandates/{public_id}/statement'>, { readonly week: string }>
