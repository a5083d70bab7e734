import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import { Problem } from '../../lib/problem.ts'
import type { Placed } from './answers.ts'
import type { Trial } from './checklist.ts'
import type { OrderBody } from './ticket.ts'

/** What a trial of the ticket gave. */
export interface Tried {
  readonly trial: Trial
  /** The order as it would be placed; null unless it passed. */
  readonly order: Placed['order'] | null
  /** A failure that none of the codes names; null without one. */
  readonly problem: Problem | null
  readonly busy: boolean
}

const NONE: Tried = { trial: null, order: null, problem: null, busy: false }
/** A trial follows the last keystroke at this distance: the service plans at most twenty a minute. */
const QUIET_MS = { paper: 500, live: 1_200 } as const

/** Tries the order of the ticket without placing it, once the person has stopped typing. */
export function useTrial(body: OrderBody | null): Tried {
  const [tried, setTried] = useState<Tried>(NONE)
  const text = body === null ? null : JSON.stringify({ ...body, dry_run: true })
  useEffect(() => {
    if (text === null) {
      setTried(NONE)
      return undefined
    }
    const wanted = JSON.parse(text) as OrderBody
    const ending = new AbortController()
    setTried({ ...NONE, busy: true })
    const timer = setTimeout(() => {
      api('POST /ui/trade/order', wanted, { signal: ending.signal }).then(
        (answer) => setTried(passed(answer)),
        (error: unknown) => ending.signal.aborted || setTried(failed(error)),
      )
    }, QUIET_MS[wanted.mode_seen])
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [text])
  return tried
}

const passed = (answer: object): Tried => ({
  ...NONE,
  trial: { kind: 'passed' },
  order: 'order' in answer ? (answer as Placed).order : null,
})

/** Reads a refusal: the standard block of live orders, or the reason of a paper book. */
export function failed(error: unknown): Tried {
  if (!(error instanceof Problem)) throw error
  const block = error.body['refusal'] as { code?: string; fix?: string; limit?: string; attempted?: string } | undefined
  const { reason } = error.body
  const code =
    error.code === 'order_refused' ? block?.code : error.code === 'paper_rejected' ? String(reason) : undefined
  if (code === undefined) return { ...NONE, problem: error }
  const { fix = error.fix, limit = null, attempted = null } = block ?? {}
  return { ...NONE, trial: { kind: 'refused', code, fix, limit, attempted }, problem: error }
}
