import { keepPreviousData, QueryClient, useQuery, type Query, type UseQueryResult } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { callRoute } from './api.ts'
import { isWatched, watchAttention } from './attention.ts'
import { countedFor, nextPollMs, RESTING_CALLS, restingMs } from './polling.ts'
import { mayPass, type Problem } from './problem.ts'
import type { Answer, ReadRoute, Sent } from './routes-of-api.ts'
import { session, sessionPending } from './session.ts'

/** What all pages have read. The last good answer stays while newer ones fail. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && mayPass(error),
      retryDelay: (attempt) => 400 * 2 ** attempt,
      staleTime: 2_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: true,
      // The page shows what it has, and says that there is no connection.
      networkMode: 'always',
    },
  },
})

/** Marks an answer that is polled, and whose calls are counted by the day. */
const isCounted = ({ meta }: Query): boolean => meta?.['counted'] === true

/** Polls slowly while nobody watches. As soon as somebody is back, reads what got old and polls as usual again. */
export const watchReads = (): void =>
  watchAttention(() => {
    for (const { observers } of countedReads())
      // Options that are set again compute the pause again.
      for (const observer of observers) observer.setOptions(observer.options)
    void queries.refetchQueries({ type: 'active', stale: true, predicate: isCounted })
  })

/** How a route is read again and again. */
export interface ReadOptions {
  /** Pause between polls, milliseconds; `every` has the usual ones. Read once without it. */
  readonly every?: number
  /** False: not read yet. */
  readonly when?: boolean
  /** Keeps the answer of the former input on the page until that of the new one comes. */
  readonly keepFormer?: boolean
  /** Reads without the session: what everybody sees costs no call of the account. */
  readonly asVisitor?: boolean
}

/** Returns the session of this tab; null for a visitor. */
export const useSession = () => useSyncExternalStore(session.subscribe, session.get)

/** Returns true while it is not known yet whether the person is signed in. */
export const useSessionPending = () => useSyncExternalStore(sessionPending.subscribe, sessionPending.get)

/** Key under which an answer is kept; answers of one wallet are never shown to another. */
export const keyOf = (route: string, sent: object, wallet: string | null): readonly unknown[] => [route, sent, wallet]

/** Reads a route of the API, polls it while the tab is seen, and keeps the last good answer. */
export function useRead<R extends ReadRoute>(
  route: R,
  sent: Sent<R>,
  options: ReadOptions = {},
): UseQueryResult<Answer<R>, Problem> {
  return useAnswer(route, sent as Record<string, unknown>, options) as unknown as UseQueryResult<Answer<R>, Problem>
}

/** Part of the usual pause in which an answer is new enough for somebody who comes back to it. */
const FRESH = 4

function useAnswer(
  route: string,
  sent: Readonly<Record<string, unknown>>,
  { every, when = true, keepFormer = false, asVisitor = false }: ReadOptions,
): UseQueryResult<unknown, Problem> {
  const session = useSession()
  const wallet = asVisitor ? null : (session?.wallet ?? null)
  const counted = countedFor(route, wallet !== null)
  return useQuery<unknown, Problem>({
    queryKey: keyOf(route, sent, wallet),
    queryFn: ({ signal }) => callRoute(route, sent, { signal, asVisitor }),
    enabled: when,
    ...(keepFormer ? { placeholderData: keepPreviousData } : {}),
    ...(every === undefined
      ? {}
      : {
          meta: { counted: counted !== null },
          ...(counted === null ? {} : { staleTime: every / FRESH }),
          refetchInterval: ({ state }) => {
            const lasting = state.error !== null && !mayRecover(state.error)
            const usual = nextPollMs(every, state.fetchFailureCount, lasting)
            if (usual === false || counted === null || isWatched()) return usual
            return restingMs(usual, countedReads().length, RESTING_CALLS[counted])
          },
        }),
  })
}

const countedReads = (): readonly Query[] => queries.getQueryCache().findAll({ type: 'active', predicate: isCounted })

/** Outages end by themselves, and so does a used-up allowance. */
const mayRecover = (error: Problem): boolean => mayPass(error) || error.status === 429
