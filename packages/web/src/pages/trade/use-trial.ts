import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import type { Problem } from '../../lib/problem.ts'
import { useSession } from '../../lib/reads.ts'
import type { Answered, Placed } from './answers.ts'
import { readRefusal, type Trial } from './checklist.ts'
import type { OrderBody } from './ticket.ts'

/** What a trial of the ticket gave. */
export interface Tried {
  readonly trial: Trial
  /** The order as it would be placed; null unless it passed. */
  readonly order: Placed['order'] | null
  /** Why it would not be placed; null without a refusal. */
  readonly problem: Problem | null
  readonly busy: boolean
}

/** A trial follows the last keystroke at this distance: the service plans at most twenty live orders a minute. */
const QUIET_MS = { paper: 500, live: 1_200 } as const

/** Tries the order of the ticket without placing it, once the person has stopped typing. */
export function useTrial(body: OrderBody | null): Tried {
  const wallet = useSession()?.wallet ?? null
  const text = body === null ? '' : JSON.stringify({ ...body, dry_run: true })
  const quiet = useQuiet(text, QUIET_MS[body?.mode_seen ?? 'paper'])
  const isSame = quiet === text && text !== ''
  const { data, error, isFetching } = useQuery<Answered, Problem>({
    queryKey: ['trial', quiet, wallet],
    queryFn: ({ signal }) => api('POST /ui/trade/order', JSON.parse(quiet) as OrderBody, { signal }),
    enabled: isSame,
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const busy = text !== '' && (!isSame || isFetching)
  if (!isSame || (data === undefined && error === null)) return { trial: null, order: null, problem: null, busy }
  if (error !== null) return { trial: readRefusal(error), order: null, problem: error, busy }
  return {
    trial: { kind: 'passed' },
    order: data !== undefined && 'order' in data ? data.order : null,
    problem: null,
    busy,
  }
}

/** Returns a text once it has not changed for a while. */
function useQuiet(text: string, ms: number): string {
  const [quiet, setQuiet] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(text), ms)
    return () => clearTimeout(timer)
  }, [text, ms])
  return quiet
}
