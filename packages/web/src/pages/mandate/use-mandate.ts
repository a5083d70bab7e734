import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { every } from '../../lib/polling.ts'
import { useRead, useSession } from '../../lib/reads.ts'
import { entriesOf, type RecordStep } from '../../lib/record.ts'
import { foldRecord, recompute } from '../../lib/refused.ts'
import { termsOfTypedData } from '../../lib/signed-terms.ts'
import type { WorthWindow } from '../../parts/worth/worth.tsx'
import type { Detail, Live } from './scene.ts'
import { useRecord } from './use-record.ts'

/** Reads everything about one mandate, as often as each part changes. */
export function useMandate(publicId: string) {
  const signedIn = useSession() !== null
  const [window, setWindow] = useState<WorthWindow>('24h')
  const sent = { public_id: publicId }
  const detail = useRead('GET /hub/mandates/{public_id}', sent, { every: every.slow, when: signedIn })
  const here = detail.data !== undefined
  const live = useRead('GET /hub/mandates/{public_id}/live', sent, { every: every.live, when: here })
  const record = useRecord(publicId, here)
  const worth = useRead(
    'GET /hub/mandates/{public_id}/worth-series',
    { ...sent, window },
    { every: every.slow, when: here, keepFormer: true },
  )
  const terms = useRead('GET /hub/mandates/{public_id}/terms', sent, { when: detail.data?.terms_hash != null })
  const markets = useRead('GET /hub/markets', {}, { when: here })
  const refresh = useRefresh(publicId)
  useFollow(live.data, detail.data, record.data?.steps.size, refresh)
  return { detail, live, record, worth, terms, markets, window, setWindow, refresh }
}

export type MandateReads = ReturnType<typeof useMandate>

/** Returns what reads everything about a mandate again, after an act. */
export function useRefresh(publicId: string): () => void {
  const client = useQueryClient()
  return useCallback(() => {
    const names = (key: readonly unknown[]) =>
      key.some((part) => part === publicId || (part as { public_id?: unknown } | null)?.public_id === publicId)
    void client.invalidateQueries({ predicate: ({ queryKey }) => names(queryKey) })
  }, [client, publicId])
}

/** Reads the rest again at once when the live figures show that something happened. */
function useFollow(live: Live | undefined, detail: Detail | undefined, known: number | undefined, refresh: () => void) {
  const seen = useRef<string | null>(null)
  const now = live === undefined ? null : `${live.state} ${live.record_seq}`
  const behind = live !== undefined && (live.state !== detail?.state || live.record_seq > (known ?? 0))
  useEffect(() => {
    if (now === null || now === seen.current) return
    seen.current = now
    if (behind) refresh()
  }, [now, behind, refresh])
}

/** Folds the record under the signed terms once, and returns what judges a refused attempt again. */
export function useJudge({ record, terms, detail }: Pick<MandateReads, 'record' | 'terms' | 'detail'>) {
  const entries = useMemo(() => (record.data === undefined ? [] : entriesOf(record.data)), [record.data])
  const typedData = terms.data?.typed_data
  const approvals = terms.data?.clauses.find(({ n }) => n === 6)?.state !== 'stored_pending'
  const markets = detail.data?.limits.markets
  const folded = useMemo(() => {
    const message = (typedData as { readonly message?: Readonly<Record<string, unknown>> } | undefined)?.message
    if (message === undefined || markets === undefined || entries.length === 0) return null
    try {
      return foldRecord(entries, { terms: termsOfTypedData(message, approvals), markets })
    } catch {
      // Facts of another shape are shown as they are, without a judgement.
      return null
    }
  }, [entries, typedData, approvals, markets])
  const judged = useMemo(() => {
    const refused = folded === null ? [] : entries.filter(({ kind }) => kind === 'refused')
    return new Map(refused.map((step) => [step.seq, folded === null ? null : recompute(folded, step)]))
  }, [entries, folded])
  const judge = useCallback((step: RecordStep) => judged.get(step.seq) ?? null, [judged])
  return { entries, judge, contradictions: folded?.folded.contradictions ?? [] }
}
