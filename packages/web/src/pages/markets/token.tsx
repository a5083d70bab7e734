import type { ReactNode } from 'react'
import { defineWords, useLang } from '../../i18n/index.tsx'
import { shownDollars } from '../../lib/dollars.ts'
import { UNKNOWN } from '../../lib/money.ts'
import { useRead, useSession } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Button } from '../../parts/button/button.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import { Read } from '../../parts/read/read.tsx'
import { askSignIn } from '../../parts/sign-in/ask-sign-in.ts'
import { Tag } from '../../parts/tag/tag.tsx'
import { Ago } from '../../parts/time/time.tsx'
import { en } from './board-words.ts'
import { bounded, shownNumber, type BoardRow } from './figures.ts'
import { History } from './history.tsx'
import { Letter } from './letter.tsx'
import { RiskScore, Worth } from './risk-score.tsx'
import styles from './token.module.css'
import { en as pageWords } from './words.ts'

const useWords = defineWords(en, () => import('./board-words.ko.ts'))
const usePageWords = defineWords(pageWords, () => import('./words.ko.ts'))

type Explained = Answer<'GET /tokens/{token_id}'>

/** What stands below an open row: the parts of its grade, its risk, its past, its flags, crises and other venues. */
export default function Token({ row }: { readonly row: BoardRow }) {
  const words = useWords()
  const page = usePageWords()
  const signedIn = useSession() !== null
  return (
    <div className={styles['token']}>
      <Marks row={row} />
      {signedIn ? (
        <Known row={row} />
      ) : (
        <p className={styles['ask']}>
          {words.signIn}{' '}
          <Button kind="text" size="s" onClick={() => void askSignIn()}>
            {page.signIn}
          </Button>
        </p>
      )}
      <Venues row={row} />
    </div>
  )
}

function Known({ row }: { readonly row: BoardRow }) {
  const words = useWords()
  const read = useRead('GET /tokens/{token_id}', { token_id: row.token_id })
  return (
    <>
      <Read of={read}>
        {(explained) => (
          <>
            <Parts explained={explained} />
            <Section title={words.risk}>
              <p className={styles['small']}>{words.riskLead}</p>
              <RiskScore risk={explained.risk} />
              <Worth worth={explained.worth} />
            </Section>
          </>
        )}
      </Read>
      <History tokenId={row.token_id} />
    </>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles['section']}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

/** Crises and flags of the pair, each with when it began. */
function Marks({ row }: { readonly row: BoardRow }) {
  const words = useWords()
  const page = usePageWords()
  const lang = useLang()
  const { alerts, recent_alerts, not_judged, flags } = row
  return (
    <>
      {alerts === null && <p className={styles['small']}>{words.alertsUnknown}</p>}
      {alerts?.map((alert) => (
        <p key={alert.episode_id} className={styles['mark']}>
          <Tag kind="out">{page.rules[alert.rule]}</Tag> {page.severity(String(alert.severity))}.{' '}
          <bdi lang={lang}>{alert.text[lang]}</bdi>{' '}
          <span className={styles['small']}>
            {page.opened} <Ago time={alert.opened_at} />
          </span>
        </p>
      ))}
      {recent_alerts?.map((alert) => (
        <p key={alert.episode_id} className={styles['mark']}>
          <Tag kind="held">{words.recentCrisis}</Tag> {page.rules[alert.rule]}, {page.severity(String(alert.severity))}.{' '}
          <bdi lang={lang}>{alert.text[lang]}</bdi>{' '}
          <span className={styles['small']}>
            {words.ended} <Ago time={alert.closed_at} />
          </span>
        </p>
      ))}
      {not_judged?.map(({ rule, reason, since }) => (
        <p key={rule} className={styles['small']}>
          {words.notJudged}: {page.rules[rule]} ({words.notJudgedReasons[reason]}), {words.since} <Ago time={since} />
        </p>
      ))}
      {flags.map((flag) => (
        <p key={flag.flag} className={styles['mark']}>
          <Tag kind="held">{words.meanings[flag.meaning]}</Tag> <bdi>{flag.flag}</bdi>{' '}
          <span className={styles['small']}>
            {words.since} <Ago time={flag.since} />
            {flag.effective_at !== null && (
              <>
                , {words.effective} <Ago time={flag.effective_at} />
              </>
            )}
          </span>
        </p>
      ))}
    </>
  )
}

function Parts({ explained }: { readonly explained: Explained }) {
  const words = useWords()
  const { components, missing, n_peers, inputs_sha256, lifecycle_events } = explained
  return (
    <Section title={words.parts}>
      {missing.length > 0 && (
        <p className={styles['small']}>{words.missing(missing.map((key) => words.part[key]).join(', '))}</p>
      )}
      <div className={styles['scroll']} role="region" aria-label={words.parts} tabIndex={0}>
        <table className={styles['parts']}>
          <thead>
            <tr>
              <th scope="col">{words.parts}</th>
              <th scope="col">{words.value}</th>
              <th scope="col">{words.grade}</th>
              <th scope="col">{words.points}</th>
              <th scope="col">{words.weight}</th>
              <th scope="col">{words.percentile}</th>
              <th scope="col">{words.observations}</th>
            </tr>
          </thead>
          <tbody>
            {components.map((part) => (
              <tr key={part.key}>
                <th scope="row">{words.part[part.key]}</th>
                <td>
                  <Measured part={part} />
                </td>
                <td>
                  <Letter letter={part.grade} />
                </td>
                <td>{shownNumber(part.points)}</td>
                <td>{`${shownNumber(part.weight * 100)}%`}</td>
                <td>{part.percentile === null ? UNKNOWN : `${shownNumber(part.percentile, 1)}%`}</td>
                <td>{words.observed(String(part.n))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles['small']}>
        {words.peers(String(n_peers))}{' '}
        {inputs_sha256 !== null && (
          <>
            {words.inputs} <Hash value={inputs_sha256} />
          </>
        )}
      </p>
      {lifecycle_events.length > 0 && (
        <>
          <h4>{words.lifecycleEvents}</h4>
          <ul className={styles['events']}>
            {lifecycle_events.map((event) => (
              <li key={event.seq}>
                <Ago time={event.at} /> {event.from !== null && `${words.lifecycles[event.from]} → `}
                <b>{words.lifecycles[event.to]}</b> <bdi className={styles['small']}>{event.cause}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}

function Measured({ part }: { readonly part: Explained['components'][number] }) {
  const lang = useLang()
  const { value, unit, is_lower_bound } = part
  if (unit === 'usd') return <>{bounded(shownDollars(value, lang), is_lower_bound)}</>
  return (
    <>
      {bounded(shownNumber(value, 4), is_lower_bound)} {unit === 'bps' && value !== null && 'bps'}
    </>
  )
}

/** Pairs with the same ticker elsewhere, which may be another asset. */
function Venues({ row }: { readonly row: BoardRow }) {
  const words = useWords()
  const lang = useLang()
  const read = useRead('GET /tokens/search', { q: row.base, limit: 20 })
  return (
    <Section title={words.venues}>
      <p className={styles['small']}>{words.venuesLead}</p>
      <Read of={read}>
        {({ items }) => {
          const others = items.filter(({ base, token_id }) => base === row.base && token_id !== row.token_id)
          if (others.length === 0) return <p className={styles['small']}>{words.noVenues}</p>
          return (
            <ul className={styles['venues']}>
              {others.map((other) => (
                <li key={other.token_id}>
                  <span>
                    <bdi>{other.symbol}</bdi> <bdi className={styles['small']}>{other.exchange}</bdi>
                  </span>
                  <Letter letter={other.grade} />
                  <span>{shownDollars(other.volume_24h_usd, lang)}</span>
                  <span className={styles['small']}>{words.lifecycles[other.lifecycle]}</span>
                </li>
              ))}
            </ul>
          )
        }}
      </Read>
    </Section>
  )
}
