import { defineWords, useLang } from '../../i18n/index.tsx'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Card } from '../../parts/card/card.tsx'
import { Note } from '../../parts/note/note.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Ago } from '../../parts/time/time.tsx'
import styles from './alerts.module.css'
import { crisisSaid, presentSaid, worstOf } from './crisis.ts'
import { PairLink } from './pair-link.tsx'
import { SourceNote } from './source-note.tsx'
import { en, type Words } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

type Alerts = Answer<'GET /alerts/crisis'>

/** Crises that are open now. An empty list that is not up to date says so. */
export function Alerts() {
  const words = useWords()
  const read = useRead('GET /alerts/crisis', {}, { every: every.hall, asVisitor: true })
  return (
    <Card title={words.alerts} aside={read.data !== undefined && read.data.total > 0 ? read.data.total : undefined}>
      <Read of={read}>{(alerts) => <Shown alerts={alerts} words={words} />}</Read>
    </Card>
  )
}

function Shown({ alerts, words }: { readonly alerts: Alerts; readonly words: Words }) {
  const { items, stale, computed_to, source } = alerts
  const lang = useLang()
  const judged = computed_to !== null && (
    <>
      {words.alertsTo} <Ago time={computed_to} />
    </>
  )
  return (
    <div className={styles['alerts']} lang={lang}>
      {stale && (
        <Note kind="held">
          {words.alertsStale} {judged}
        </Note>
      )}
      {items.length === 0 && !stale && (
        <p className={styles['small']}>
          {words.noAlerts} {judged}
        </p>
      )}
      {items.map((item) => (
        <article key={item.episode_id} className={styles['alert']}>
          <header>
            <PairLink pair={item} />
            <span className={styles['small']}>
              <bdi>{item.exchange}</bdi>
            </span>
            <b className={styles['rule']}>{words.rules[item.rule]}</b>
            <span className={styles['severity']} title={words.severity(String(item.severity))}>
              <span className="told">{words.severity(String(item.severity))}</span>
              {[1, 2, 3].map((step) => (
                <i key={step} className={step <= item.severity ? styles['full'] : undefined} />
              ))}
            </span>
          </header>
          <Said item={item} words={words} />
          <p className={styles['small']}>
            {words.opened} <Ago time={item.opened_at} />
          </p>
        </article>
      ))}
      {source !== 'live' && (
        <p className={styles['small']}>
          <SourceNote source={source} />
        </p>
      )}
    </div>
  )
}

/** What happened, from the facts of the episode; a rule that the page does not know speaks for itself. */
function Said({ item, words }: { readonly item: Alerts['items'][number]; readonly words: Words }) {
  const said = crisisSaid(worstOf(item), words.crisis)
  const present = presentSaid(item, words.crisis)
  return (
    <p>
      {said === null ? <bdi lang="en">{item.text}</bdi> : <bdi>{present === null ? said : `${said} ${present}`}</bdi>}
    </p>
  )
}
