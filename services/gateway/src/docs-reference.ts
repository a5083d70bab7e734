import type { Contract, Refusal } from '@svc/contract'
import { edgeRefusals, jsonSchema, type Route } from '@svc/edge'
import { escaped, type DocsPage } from './docs-frame.ts'

type Json = Readonly<Record<string, unknown>>

/** What the reference is printed from. */
export interface ReferenceOptions {
  readonly contracts: readonly Contract[]
  readonly routes: readonly Route[]
  readonly examples: Readonly<Record<string, unknown>>
}

const EXAMPLE_MAX = 2_400
const GROUP = 'API reference'

/** Returns the subject of a route: the first words of its path, without names. */
const subjectOf = ({ path }: Route): string =>
  `/${path
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('{'))
    .slice(0, 2)
    .join('/')}`

/** Returns the reference: an index, and a page for each service with an anchor for each route. */
export function referencePages({ contracts, routes, examples }: ReferenceOptions): DocsPage[] {
  const page = (path: string, title: string, html: string, group: string | null): DocsPage => ({
    path,
    title,
    html,
    lang: 'en',
    other: null,
    group,
  })
  const served = contracts.flatMap((contract) => {
    const own = routes.filter(({ operation }) => operation.service === contract.name)
    return own.length === 0 ? [] : [{ contract, own }]
  })
  const index = served
    .map(({ contract, own }) => {
      const rows = own.map(
        (route) =>
          `<tr><td><a href="/ui/docs/api/${contract.name}#${route.operation.key}">${nameOf(route)}</a></td><td>${escaped(route.operation.summary)}</td></tr>`,
      )
      return `<h2 id="${contract.name}"><a href="/ui/docs/api/${contract.name}">${escaped(contract.title)}</a></h2><div class="wide"><table><thead><tr><th>Route</th><th>What it does</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
    })
    .join('')
  const lead = `<h1>API reference</h1><p class="lead">${routes.length} routes, by service. Search this page with your browser; each route has an address of its own.</p><p>Bodies are JSON, unknown members are refused, amounts are decimal strings, times are UTC with milliseconds. Send the key of an agent as <code>X-SVC-User-Key</code>, the token of an owner as <code>Authorization: Bearer</code>.</p>`
  return [
    page('/ui/docs/api', GROUP, `${lead}${index}`, GROUP),
    ...served.map(({ contract, own }) => {
      const subjects = [...Map.groupBy(own, subjectOf)]
      const body = subjects
        .map(
          ([subject, members]) =>
            `<h2>${escaped(subject)}</h2>${members.map((route) => entryOf(route, examples)).join('')}`,
        )
        .join('')
      return page(
        `/ui/docs/api/${contract.name}`,
        contract.title,
        `<h1>${escaped(contract.title)}</h1>${listOf(own)}${body}`,
        GROUP,
      )
    }),
  ]
}

/** Returns the name of a route, which breaks at its slashes alone. */
const nameOf = ({ method, path }: Route): string => `<code>${method} ${escaped(path).replaceAll('/', '<wbr>/')}</code>`

const listOf = (routes: readonly Route[]): string =>
  `<ul class="routes">${routes.map((route) => `<li><a href="#${route.operation.key}">${nameOf(route)}</a></li>`).join('')}</ul>`

function entryOf(route: Route, examples: ReferenceOptions['examples']): string {
  const { operation, method, path } = route
  const answers = Object.keys(operation.success).map((status) => answerOf(route, status, examples))
  return `<section id="${operation.key}"><h3 class="call"><span class="verb">${method}</span><span class="path">${escaped(path)}</span></h3><p>${escaped(operation.summary)}.</p>${operation.description === undefined ? '' : `<p>${escaped(operation.description)}</p>`}<p class="needs">${escaped(needsOf(route))}</p>${inputOf(route)}${answers.join('')}${refusalsOf(route)}</section>`
}

function needsOf({ operation, scope }: Route): string {
  const { auth, tier = 0, limit = 'daily', idempotent } = operation
  const who = {
    open: 'Open to everybody',
    account: 'An agent key or an owner session',
    agent: 'An agent key',
    owner: 'An owner session',
  }
  return [
    Reflect.get(who, auth) ?? `Role ${auth}`,
    ...(auth === 'open' ? [] : [`scope ${scope}`]),
    ...(tier > 0 ? [`Tier ${tier}`] : []),
    `counted as ${limit}`,
    ...(idempotent === true ? ['accepts Idempotency-Key'] : []),
  ].join(', ')
}

const typeOf = (schema: Json): string => {
  const { type, enum: words, const: only, anyOf, format } = schema
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(words)) return words.map((word) => JSON.stringify(word)).join(' | ')
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((one) => typeOf(one as Json)))].join(' | ')
  const name = typeof type === 'string' ? type : 'value'
  return typeof format === 'string' && name === 'string' ? format : name
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function inputOf({ operation, places }: Route): string {
  const schema = jsonSchema(operation.input, 'input') as { properties?: Record<string, Json>; required?: string[] }
  const rows = Object.entries(schema.properties ?? {}).map(
    ([name, property]) =>
      `<tr><td><code>${escaped(name)}</code>${schema.required?.includes(name) === true ? '' : ' <span class="needs">optional</span>'}</td><td>${places[name] ?? ''}</td><td>${escaped(typeOf(property))}</td><td>${escaped(textOf(property['description']))}</td></tr>`,
  )
  if (rows.length === 0) return ''
  return `<div class="wide"><table class="members"><thead><tr><th>Member</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function answerOf({ operation }: Route, status: string, examples: ReferenceOptions['examples']): string {
  const example = examples[`${operation.service}.${operation.key} ${status}`]
  const text = example === undefined ? '' : JSON.stringify(example, null, 2)
  const shown = text.length > EXAMPLE_MAX ? `${text.slice(0, EXAMPLE_MAX)}\n…` : text
  return `<p><b>${status}</b></p>${shown === '' ? '' : `<pre><code>${escaped(shown)}</code></pre>`}`
}

function refusalsOf(route: Route): string {
  const all: readonly Refusal[] = [...edgeRefusals(route), ...(route.operation.refusals ?? [])]
  const codes = [...new Map(all.map((one) => [one.code, one])).values()].toSorted((a, b) => a.status - b.status)
  const links = codes.map(({ code, status }) => `<a href="/ui/docs/errors#${code}"><code>${status} ${code}</code></a>`)
  return `<p class="needs">Refusals: ${links.join(' ')}</p>`
}
