import type { Answer } from '../../lib/routes-of-api.ts'
import type { Words } from './words.ts'

/** Everything about one mandate that changes seldom. */
export type Detail = Answer<'GET /hub/mandates/{public_id}'>
/** The figures that change often. */
export type Live = Answer<'GET /hub/mandates/{public_id}/live'>

/** What the parts of the page show: the details, with the live figures over those of the same name. */
export interface Scene {
  readonly id: string
  readonly detail: Detail
  readonly live: Live | undefined
  readonly words: Words
}

/** Returns the newest state that is known. */
export const stateOf = ({ detail, live }: Pick<Scene, 'detail' | 'live'>): Detail['state'] =>
  live?.state ?? detail.state

/**
 * Whether the limits have ended: nobody spends under the mandate any more. A stop in the record alone ends none, since the
 * vault still accepts the agent within them.
 */
export const isOver = (scene: Pick<Scene, 'detail' | 'live'>): boolean =>
  OVER.has(stateOf(scene)) && scene.detail.chain_state?.open_until_stopped !== true
const OVER: ReadonlySet<string> = new Set(['stopped', 'ended', 'closed'])

/** What an owner can do with a mandate. */
export type ActName = 'add' | 'pause' | 'resume' | 'stop' | 'close' | 'withdraw'
