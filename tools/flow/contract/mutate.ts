import type { Route } from '@svc/edge'
import { BODIES, HEADERS, MEDIA_TYPES, NAMES, PATH_PARTS, VALUES } from './hostile.ts'
import type { RawRequest } from './http.ts'
import type { Random } from './random.ts'
import { sampleRequest } from './samples.ts'

/** A mutated request to a route, and its body if that is a JSON object. */
export interface Mutant {
  readonly request: RawRequest
  /** Undefined when the body was replaced by bytes. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** Kinds of the changes, for the message of a failure. */
  readonly changes: readonly string[]
}

type Target = Record<string, unknown> | unknown[]

/** Returns every object and array inside a value, including the value. */
function containers(value: unknown): Target[] {
  if (typeof value !== 'object' || value === null) return []
  return [value as Target, ...Object.values(value).flatMap(containers)]
}

function set(target: Target, name: string, value: unknown): void {
  // Assignment would call the setter of __proto__ instead of making a member.
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}

function changeMember(body: Record<string, unknown>, random: Random): string {
  const target = random.pick(containers(body))
  const names = Object.keys(target)
  const kind = random.pick(['replace', 'replace', 'replace', 'remove', 'add'])
  const name = random.pick(names.length === 0 ? NAMES : names)
  if (kind === 'add' || names.length === 0) set(target, random.pick(NAMES), structuredClone(random.pick(VALUES)))
  else if (kind === 'remove') Reflect.deleteProperty(target, name)
  else set(target, name, structuredClone(random.pick(VALUES)))
  return `${kind} ${name.slice(0, 40)}`
}

/** Returns a request to the route that differs from a valid one in one to three places. */
export function mutantOf(route: Route, random: Random, credentials: Readonly<Record<string, string>>): Mutant {
  const sample = sampleRequest(route)
  const changes: string[] = []
  const query: [string, string][] = Object.entries(sample.query)
  let { path } = sample
  const body = sample.body === undefined ? undefined : structuredClone(sample.body)
  let bytes: Buffer | string | undefined
  let media = 'application/json'
  let headers: Readonly<Record<string, string>> = {}
  const text = () => {
    const value = random.pick(VALUES)
    return typeof value === 'string' ? value : JSON.stringify(value)
  }

  const kinds = [
    'query',
    'header',
    ...(route.pathNames.length > 0 ? ['path', 'path'] : []),
    ...(body === undefined
      ? ['query', 'query', 'body on GET']
      : ['member', 'member', 'member', 'member', 'bytes', 'media']),
  ]
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const kind = random.pick(kinds)
    changes.push(kind)
    if (kind === 'query') {
      const name = random.pick([...query.map(([known]) => known), ...NAMES])
      query.push([name, text()])
      if (random.below(4) === 0) query.push([name, text()])
    } else if (kind === 'header') headers = { ...headers, ...random.pick(HEADERS) }
    else if (kind === 'path') {
      const parts = route.path.split('/').map((part) => (part.startsWith('{') ? random.pick(PATH_PARTS) : part))
      path = parts.join('/')
    } else if (kind === 'member' && body !== undefined) changes.push(changeMember(body, random))
    else if (kind === 'media') media = random.pick(MEDIA_TYPES)
    else bytes = random.pick(BODIES)
  }
  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  const sent = bytes ?? (body === undefined ? undefined : JSON.stringify(body))
  return {
    request: {
      method: route.method,
      path: search === '' ? path : `${path}?${search}`,
      headers: { ...(sent === undefined ? {} : { 'content-type': media }), ...headers, ...credentials },
      body: sent,
    },
    body:
      bytes === undefined && media === 'application/json'
        ? body === undefined
          ? undefined
          : (JSON.parse(JSON.stringify(body)) as Record<string, unknown>)
        : undefined,
    changes,
  }
}

function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text.slice(0, 1_500)) : '%ED%A0%80'
}
