import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { every, nextPollMs } from '../../lib/polling.ts'
import { mayPass, type Problem } from '../../lib/problem.ts'
import { useSession } from '../../lib/reads.ts'
import { unreadRecord, withAnswer, type KnownRecord } from '../../lib/record.ts'

/** Most answers of one poll; what is left comes with the next. */
const PAGES_MAX = 40

/** Reads the record of a mandate, then only what is new, and keeps all of it. */
export function useRecord(publicId: string, when: boolean): UseQueryResult<KnownRecord, Problem> {
  const wallet = useSession()?.wallet ?? null
  const client = useQueryClient()
  const queryKey = ['record', publicId, wallet]
  return useQuery<KnownRecord, Problem>({
    queryKey,
    enabled: when,
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      let known = client.getQueryData<KnownRecord>(queryKey) ?? unreadRecord
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const sent = { public_id: publicId, since: known.since }
        const answer = await api('GET /hub/mandates/{public_id}/record', sent, { signal })
        known = withAnswer(known, answer)
        if (!answer.more) break
      }
      return known
    },
    refetchInterval: ({ state }) =>
      nextPollMs(every.live, state.fetchFailureCount, state.error !== null && !mayPass(state.error)),
  })
}
