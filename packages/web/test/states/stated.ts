import type { Page } from 'playwright-core'
import type { Fed } from './feed.ts'
import { recorded } from './recorded.ts'

export type Body = Record<string, unknown>

/** A state of a page: what is answered, and what the page then says. */
export interface PageState {
  readonly name: string
  readonly answers: Readonly<Record<string, Fed>>
  /** Each stands on the page. */
  readonly shows: readonly (string | RegExp)[]
  /** None of it stands on the page. */
  readonly hides?: readonly (string | RegExp)[]
}

/** A page with the route that it cannot do without, and the states that its answers can have. */
export interface StatedPage {
  readonly name: string
  readonly path: string
  readonly signedIn: boolean
  /** Route whose failures are seen; null for a page that works without one. */
  readonly main: string | null
  /** What is answered in every state of it, unless the state says otherwise. */
  readonly given?: Readonly<Record<string, Fed>>
  /** What was read stays as it was until the page is opened again. */
  readonly once?: true
  /** What is pressed on the way to it, after its address was opened. */
  readonly walk?: (page: Page) => Promise<unknown>
  readonly states: readonly PageState[]
  /** Failures that the page tells in words of its own, by their code. */
  readonly ownWords?: Readonly<Record<string, RegExp>>
  /** Routes whose failure the page does not tell, each with what stands there instead. */
  readonly quiet?: Readonly<Record<string, string>>
}

const MINUTE = 60_000
export const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString()

/** Returns an answer like the recorded one, with other members. Its times are as old as they say whenever it is given. */
export const like = (route: string, change: (body: Body) => Body = (body) => body): Fed => ({
  get body() {
    return change(recorded<Body>(route))
  },
})
/** Returns members of an answer whose values nobody knows. */
export const unknown = (...names: readonly string[]): Body => Object.fromEntries(names.map((name) => [name, null]))
const rowsOf = (body: Body, member = 'items') => body[member] as Body[]
export const withRow = (member: string, more: Body) => (body: Body) => ({
  ...body,
  [member]: rowsOf(body, member).map((row) => ({ ...row, ...more })),
})
