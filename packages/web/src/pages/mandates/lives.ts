import { useQueries } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { every, nextPollMs } from '../../lib/polling.ts'
import { mayPass, type Problem } from '../../lib/problem.ts'
import { keyOf, useSession } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'

const ROUTE = 'GET /hub/mandates/{public_id}/live'

/** Figures of a mandate that change often. */
export type Live = Answer<typeof ROUTE>

/** What is known of the figures of a mandate: `null` while they are read, `failed` if they cannot be. */
export type LiveState = { readonly live: Live | null; readonly failed: boolean }

/** Polls the figures of mandates; the page of one mandate shares the answers. */
export function useLives(ids: readonly string[]): ReadonlyMap<string, LiveState> {
  const wallet = useSession()?.wallet ?? null
  return useQueries({
    queries: ids.map((public_id) => ({
      queryKey: keyOf(ROUTE, { public_id }, wallet),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => api(ROUTE, { public_id }, { signal }),
      refetchInterval: ({ state }: { readonly state: { fetchFailureCount: number; error: Problem | null } }) =>
        nextPollMs(every.open, state.fetchFailureCount, state.error !== null && !mayPass(state.error)),
    })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data, error }, index) => {
          const id = ids[index]
          return id === undefined ? [] : [[id, { live: data ?? null, failed: error !== null && data === undefined }]]
        }),
      ),
  })
}
