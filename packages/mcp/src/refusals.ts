import type { Refusal } from '@svc/contract'
import type { Route } from '@svc/edge'

/** Names of tools by their routes: `POST /agent/targets/add` is `targets_add`. */
export type ToolNames = ReadonlyMap<string, string>

/** A route in a text. */
const ROUTE = /\b(?:GET|POST|PUT|DELETE) \/[\w{}/-]+/g

/** Returns the names of the tools of all routes. */
export const namesOf = (routes: readonly Route[]): ToolNames =>
  new Map(
    routes.flatMap(({ method, path, operation: { tool } }) =>
      tool === undefined ? [] : [[`${method} ${path}`, tool] as const],
    ),
  )

/** Returns the refusals of a tool in few words: code, what it means where the code alone does not say it, and the tool to call next. */
export function refusalsText(refusals: readonly Refusal[], names: ToolNames): string {
  const said = Map.groupBy(refusals, (one) => `${meaningOf(one)}${nextOf(one, names)}`)
  return [...said].map(([words, all]) => `${all.map(({ code }) => code).join(', ')}${words}`).join('; ')
}

/** Returns how a refusal is fixed, with the tools of the routes that the fix names. */
export const fixText = ({ fix }: Pick<Refusal, 'fix'>, names: ToolNames): string =>
  fix.replaceAll(ROUTE, (route) => (names.has(route) ? `${route} (tool ${names.get(route)})` : route))

function meaningOf({ code, title }: Refusal): string {
  const words = /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title
  return words === code.replaceAll('_', ' ') ? '' : `: ${words}`
}

function nextOf({ fix }: Refusal, names: ToolNames): string {
  const [next] = (fix.match(ROUTE) ?? []).flatMap((route) => names.get(route) ?? [])
  return next === undefined ? '' : ` → ${next}`
}
