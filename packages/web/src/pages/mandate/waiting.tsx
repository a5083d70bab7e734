import { useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../../lib/api.ts'
import { unitsOf, unitsOrNull } from '../../lib/money.ts'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import { bodyText, entriesOf } from '../../lib/record.ts'
import { Ask, AskEnded, type AskScene, type Decision, type HeldItem } from '../../parts/ask/ask.tsx'
import { Problem } from '../../lib/problem.ts'
import type { MandateReads } from './use-mandate.ts'
import type { Scene } from './scene.ts'
import styles from './mandate.module.css'

interface WaitingProps {
  readonly scene: Scene
  readonly reads: MandateReads
  readonly onChanged: () => void
}

/** An item that no longer waits; `mine` is the decision that was made in this tab. */
interface EndedItem {
  readonly item: HeldItem
  readonly mine: Decision | null
}

/** What waits for the owner, and what became of it while the page was open. */
export function Waiting({ scene, reads, onChanged }: WaitingProps) {
  const { id, detail, live } = scene
  const waiting = live?.approvals_waiting
  const { ended, settle, dismiss } = useEnded(id, waiting)
  const used = useUsed(reads)
  const usage = live?.usage ?? detail.usage
  const ask: AskScene = {
    dailyCap: unitsOf(detail.limits.daily_cap_usdc),
    perTxCap: unitsOf(detail.limits.per_tx_cap_usdc),
    approvalAbove: unitsOrNull(detail.limits.approval_above_usdc),
    used:
      usage === null ? null : unitsOf(usage.used_usdc) + unitsOf(usage.leg_used_usdc) + unitsOf(usage.reserved_usdc),
    worth: unitsOrNull(live?.worth?.worth_usdc),
    markets: reads.markets.data?.items,
  }
  const open = (waiting ?? []).filter(({ approval_id }) => !ended.some(({ item }) => item.approval_id === approval_id))
  if (open.length === 0 && ended.length === 0) return null
  return (
    <div className={styles['waiting']}>
      {open.map((item) => (
        <QuotedAsk
          key={item.approval_id}
          item={item}
          scene={ask}
          onDecide={async (decision) => {
            settle(await decide(item, decision), decision)
            onChanged()
          }}
        />
      ))}
      {ended.map(({ item, mine }) => (
        <AskEnded
          key={item.approval_id}
          item={item}
          mine={mine}
          used={used.has(item.approval_id)}
          onDismiss={() => dismiss(item.approval_id)}
        />
      ))}
    </div>
  )
}

/** Returns the approvals that the agent has used, by the record. */
function useUsed({ record }: MandateReads): ReadonlySet<string> {
  const { data } = record
  return useMemo(() => {
    const entries = data === undefined ? [] : entriesOf(data)
    return new Set(
      entries.flatMap((step) => (step.kind === 'approval_used' ? (bodyText(step, 'approval_id') ?? []) : [])),
    )
  }, [data])
}

/** An item with what its venue would give now. Its other figures do not wait for that. */
function QuotedAsk(props: Omit<Parameters<typeof Ask>[0], 'quote'>) {
  const { public_id, approval_id, kind } = props.item
  const named = useRead(
    'GET /hub/mandates/{public_id}/approvals',
    { public_id, approval_id, limit: 1 },
    { every: every.open, when: kind === 'call' },
  )
  const told = named.error === null ? named.data?.items[0]?.quote : null
  const quote =
    told === null || told === undefined ? null : { gets: unitsOf(told.gets), effect: unitsOf(told.effect_usdc) }
  return <Ask {...props} quote={quote} />
}

/** Sends a decision. The same decision, sent twice, is one. */
async function decide({ public_id, approval_id }: HeldItem, decision: Decision): Promise<HeldItem> {
  const route = 'POST /hub/mandates/{public_id}/approvals/{approval_id}'
  const { approval } = await api(
    route,
    { public_id, approval_id, decision },
    { idempotencyKey: `${approval_id}-${decision}` },
  )
  return approval
}

/** Remembers what waited, and finds out what became of an item that no longer does. */
function useEnded(publicId: string, waiting: readonly HeldItem[] | undefined) {
  const seen = useRef(new Map<string, HeldItem>())
  const [ended, setEnded] = useState<readonly EndedItem[]>([])
  const settle = (item: HeldItem, mine: Decision | null) => {
    seen.current.delete(item.approval_id)
    setEnded((all) => [...all.filter((one) => one.item.approval_id !== item.approval_id), { item, mine }])
  }
  useEffect(() => {
    if (waiting === undefined) return
    const open = new Set(waiting.map(({ approval_id }) => approval_id))
    const gone = [...seen.current.keys()].filter((approvalId) => !open.has(approvalId))
    for (const item of waiting) seen.current.set(item.approval_id, item)
    for (const approval_id of gone) {
      seen.current.delete(approval_id)
      api('GET /hub/mandates/{public_id}/approvals', { public_id: publicId, approval_id, limit: 1 }).then(
        ({ items: [item] }) => item !== undefined && item.status !== 'pending' && settle(item, null),
        (error: unknown) => {
          // The next poll tells again; only a bug is thrown on.
          if (!(error instanceof Problem)) throw error
        },
      )
    }
  }, [waiting, publicId])
  const dismiss = (approvalId: string) => setEnded((all) => all.filter(({ item }) => item.approval_id !== approvalId))
  return { ended, settle, dismiss }
}
