import { addAbortListener } from 'node:events'

/** A signal with a time limit. Once it is disposed of, neither its timer nor its parent holds it. */
interface TimeLimit extends Disposable {
  readonly signal: AbortSignal
}

/**
 * Returns a signal that aborts `ms` from now with a `TimeoutError`, or with `parent`. `AbortSignal.any` does not serve here:
 * Node 24 keeps a signal of it that has a timeout forever, once it is itself one of the signals of another `any`.
 */
export function timeLimit(ms: number, parent?: AbortSignal): TimeLimit {
  const limit = new AbortController()
  const usedUp = () => limit.abort(new DOMException(`The time limit of ${ms} ms has passed.`, 'TimeoutError'))
  const timer = setTimeout(usedUp, ms).unref()
  if (parent?.aborted === true) limit.abort(parent.reason)
  const following = parent === undefined ? null : addAbortListener(parent, () => limit.abort(parent.reason))
  return {
    signal: limit.signal,
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      following?.[Symbol.dispose]()
    },
  }
}
