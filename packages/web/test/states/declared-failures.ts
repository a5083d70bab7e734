import { readFileSync } from 'node:fs'

interface Answers {
  readonly [status: string]: { readonly description?: string; readonly $ref?: string }
}
interface Api {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Answers }>>>>
  readonly components: { readonly responses: Answers }
}

const api = JSON.parse(readFileSync(new URL('../../../../docs/api/openapi.json', import.meta.url), 'utf8')) as Api

/** A failure that a route may answer. */
export interface DeclaredFailure {
  readonly status: number
  readonly code: string
}

/** Returns every failure that the API declares for a route: `GET /hub/hall`. */
export function failuresOf(route: string): readonly DeclaredFailure[] {
  const [method = '', path = ''] = route.split(' ')
  const answers = api.paths[path]?.[method.toLowerCase()]?.responses ?? {}
  return Object.entries(answers).flatMap(([status, { description, $ref }]) => {
    if (Number(status) < 400) return []
    const codes = description ?? api.components.responses[$ref?.split('/').at(-1) ?? '']?.description ?? ''
    return codes.split(', ').map((code) => ({ status: Number(status), code }))
  })
}
