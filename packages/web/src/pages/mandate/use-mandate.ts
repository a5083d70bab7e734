import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { now } from '../../lib/clock.ts'
import { every } from '../../lib/polling.ts'
import { useRead, useSession } from '../../lib/reads.ts'
import { bodyText, entriesOf, type KnownRecord, type RecordStep } from '../../lib/record.ts'
import { foldRecord, isJudged, recompute } from '../../lib/refused.ts'
import { termsOfTypedData } from '../../lib/signed-terms.ts'
import type { WorthWindow } from '../../parts/worth/windows.ts'
import type { Detail, Live } from './scene.ts'
import { useRecord } from './use-record.ts'

/** Reads everything about one mandate, as often as each part changes. */
export function useMandate(publicId: string) {
  const signedIn = useSession() !== null
  const sent = { public_id: publicId }
  const detail = useRead('GET /hub/mandates/{public_id}', sent, { every: every.slow, when: signedIn })
  const here = detail.data !== undefined
  const [chosen, setWindow] = useState<WorthWindow | null>(null)
  const live = useRead('GET /hub/mandates/{public_id}/live', sent, { every: every.live, when: here })
  const record = useRecord(publicId, here)
  const newest = useMemo(() => newestAttempt(record.data), [record.data])
  // The record says once how far back to look: what happens later moves no window under the reader.
  const [first, setFirst] = useState<WorthWindow | null>(null)
  if (first === null && record.data !== undefined) setFirst(firstWindow(newest))
  const window = chosen ?? first ?? '24h'
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

const DAY_MS = 86_400_000

/** Kinds of entries that the picture of a mandate marks. */
const ATTEMPTS: ReadonlySet<string> = new Set(['refused', 'approval_requested', 'leg_order'])

/** Returns when the record was last told of a trade, a refusal or a question; null before any. */
function newestAttempt(record: KnownRecord | undefined): number | null {
  const steps = record === undefined ? [] : entriesOf(record)
  const last = steps.findLast((step) => ATTEMPTS.has(step.kind) || bodyText(step, 'name') === 'Executed')
  return last === undefined ? null : Date.parse(bodyText(last, 'block_time') ?? last.at)
}

/** Returns the time that is shown before the owner chooses: the shortest that reaches back to the newest attempt. */
function firstWindow(newest: number | null): WorthWindow {
  const days = newest === null ? 0 : (now() - newest) / DAY_MS
  return days < 1 ? '24h' : days < 7 ? '7d' : days < 30 ? '30d' : 'all'
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

/** Folds the record under the signed terms once, and returns what judges an attempt again. */
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
    const attempts = folded === null ? [] : entries.filter(isJudged)
    return new Map(attempts.map((step) => [step.seq, folded === null ? null : recompute(folded, step)]))
  }, [entries, folded])
  const judge = useCallback((step: RecordStep) => judged.get(step.seq) ?? null, [judged])
  return { entries, judge, contradictions: folded?.folded.contradictions ?? [] }
}
