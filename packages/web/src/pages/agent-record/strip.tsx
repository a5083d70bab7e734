import type { ReactNode } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Card } from '../../parts/card/card.tsx'
import { Read } from '../../parts/read/read.tsx'
import styles from './agent-record.module.css'
import { en, type Words } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

type StripAnswer = Answer<'GET /hub/agents/{agent_id}/record'>

/** The record strip of an agent: ladder, Hall, limits and work. A part that cannot be read says so. */
export function Strip({ agentId }: { readonly agentId: number }) {
  const words = useWords()
  const read = useRead('GET /hub/agents/{agent_id}/record', { agent_id: agentId }, { every: every.hall })
  return (
    <Card title={words.strip}>
      <Read of={read}>{(strip) => <Parts strip={strip} words={words} />}</Read>
    </Card>
  )
}

function Parts({ strip, words }: { readonly strip: StripAnswer; readonly words: Words }) {
  const { ladder, hall, limits, work, posting_tier } = strip
  return (
    <dl className={styles['strip']}>
      <Part name={words.ladder}>
        {ladder !== null && (
          <>
            <b>{words.levels[ladder.level]}</b>, {words.claims(String(ladder.verified_claims))}
            {'. '}
            {ladder.next_level === null
              ? words.top
              : words.next(String(ladder.claims_to_next ?? 0), words.levels[ladder.next_level])}
          </>
        )}
      </Part>
      <Part name={words.hall}>
        {hall !== null && (
          <>
            <b>{hall.ranked && hall.rank !== null ? words.hallRanked(String(hall.rank)) : words.unranked}</b>
            {', '}
            {words.hallFigures(String(hall.days_live), String(hall.trades))}
          </>
        )}
      </Part>
      <Part name={words.limits}>
        {limits !== null && (
          <>
            {words.keptOf(String(limits.mandates_kept_inside_limits), String(limits.mandates))},{' '}
            {words.taken(String(limits.refusals_taken))}
            {limits.reports_contradicting_chain > 0 && (
              <b className={styles['bad']}>, {words.contradicting(String(limits.reports_contradicting_chain))}</b>
            )}
          </>
        )}
      </Part>
      <Part name={words.work}>
        {work !== null && (
          <>
            {words.taskClaims(String(work.task_market_claims))}, {words.knowledgeClaims(String(work.knowledge_claims))}
            {posting_tier !== null && `, ${words.tier(String(posting_tier))}`}
          </>
        )}
      </Part>
    </dl>
  )
}

function Part({ name, children }: { readonly name: string; readonly children: ReactNode | false }) {
  const words = useWords()
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children === false ? <span className={styles['small']}>{words.notReadable}</span> : children}</dd>
    </div>
  )
}
