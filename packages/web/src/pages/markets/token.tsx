import { useState, type ReactNode } from 'react'
import { useParams } from 'wouter'
import { defineWords, useLang } from '../../i18n/index.tsx'
import { shownDollars } from '../../lib/dollars.ts'
import { UNKNOWN } from '../../lib/money.ts'
import { every } from '../../lib/polling.ts'
import { useRead, useSession } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { isPairId, toggleWatched, useWatched } from '../../lib/watched.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button, ButtonLink } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import { Page, Stack } from '../../parts/page/page.tsx'
import { Pending, Read, Stale } from '../../parts/read/read.tsx'
import { askSignIn } from '../../parts/sign-in/ask-sign-in.ts'
import { Tag } from '../../parts/tag/tag.tsx'
import { Ago } from '../../parts/time/time.tsx'
import { pages } from '../../routes.ts'
import { en } from './board-words.ts'
import { bounded, shownChange, shownNumber, shownPrice, type BoardRow } from './figures.ts'
import { History } from './history.tsx'
import { Letter } from './letter.tsx'
import { LifecycleTag } from './lifecycle-tag.tsx'
import { PairLink } from './pair-link.tsx'
import { RiskScore, Worth } from './risk-score.tsx'
import { SourceNote } from './source-note.tsx'
import styles from './token.module.css'
import { en as pageWords } from './words.ts'

const useWords = defineWords(en, () => import('./board-words.ko.ts'))
const usePageWords = defineWords(pageWords, () => import('./words.ko.ts'))

type Explained = Answer<'GET /tokens/{token_id}'>

/** One pair: its figures now, the parts of its grade, its risk, its past, its flags, crises and other venues. */
export default function Token() {
  const words = useWords()
  const { token = '' } = useParams()
  const known = isPairId(token)
  const read = useRead('GET /board', { token_id: token, limit: 1 }, { every: every.board, when: known })
  if (!known) return <NoPair id={null} />
  const row = read.data?.tokens[0]
  if (read.data !== undefined && !read.data.pending && row === undefined) return <NoPair key={token} id={token} />
  return (
    <Page
      title={row?.symbol ?? words.pairPage}
      lead={row !== undefined && <Names row={row} />}
      {...(row === undefined ? {} : { mark: <LifecycleTag lifecycle={row.lifecycle} /> })}
      actions={
        <>
          <WatchButton id={token} />
          <ButtonLink size="s" to={pages.markets}>
            {words.backToBoard}
          </ButtonLink>
        </>
      }
    >
      <Read of={read} bones={<Bones lines={[0.4, 1, 1, 0.7]} rem={4} />}>
        {({ computed_at, stale, source }) =>
          row === undefined ? (
            <Pending at={computed_at} />
          ) : (
            <Stack>
              {stale && computed_at !== null && <Stale time={computed_at} />}
              <Card
                title={words.now}
                aside={
                  <>
                    {words.computed.before} <Ago time={computed_at} /> {words.computed.after}
                  </>
                }
              >
                <div className={styles['now']}>
                  {source !== 'live' && (
                    <p className={styles['small']}>
                      <SourceNote source={source} />
                    </p>
                  )}
                  <Figures row={row} />
                  <Marks row={row} />
                </div>
              </Card>
              <Known row={row} />
              <Venues row={row} />
            </Stack>
          )
        }
      </Read>
    </Page>
  )
}

/** Says that the board has no such pair. One that was watched before it left the board can be taken from the list. */
function NoPair({ id }: { readonly id: string | null }) {
  const words = useWords()
  const watched = useWatched()
  // The button stays after it was pressed: it keeps the focus, and takes a slip back.
  const [wasWatched] = useState(id !== null && watched.includes(id))
  return (
    <Page
      title={words.unknownPair.title}
      lead={words.unknownPair.said}
      actions={wasWatched && id !== null ? <WatchButton id={id} /> : undefined}
    >
      <ButtonLink to={pages.markets}>{words.backToBoard}</ButtonLink>
    </Page>
  )
}

/** Keeps a pair in the list that this browser watches, or takes it away. */
function WatchButton({ id }: { readonly id: string }) {
  const words = useWords()
  const watched = useWatched().includes(id)
  return (
    <Button size="s" aria-pressed={watched} onClick={() => toggleWatched(id)}>
      {watched ? words.unwatch : words.watch}
    </Button>
  )
}

function Names({ row }: { readonly row: BoardRow }) {
  const lang = useLang()
  const name = lang === 'ko' ? (row.name_ko ?? row.name) : row.name
  return (
    <>
      <bdi>{row.exchange}</bdi>
      {name !== null && (
        <>
          {' · '}
          <bdi>{name}</bdi>
        </>
      )}
    </>
  )
}

/** The figures of the pair on the newest board. */
function Figures({ row }: { readonly row: BoardRow }) {
  const words = useWords()
  const lang = useLang()
  const { columns } = words
  const figures: readonly (readonly [string, ReactNode])[] = [
    [columns.price, `${shownPrice(row.price)}${row.price === null ? '' : ` ${row.quote}`}`],
    [columns.change, shownChange(row.change_24h_pct)],
    [columns.volume, shownDollars(row.volume_24h_usd, lang)],
    [columns.spread, row.spread_bps === null ? UNKNOWN : `${shownNumber(row.spread_bps)} bps`],
    [columns.depth, bounded(shownDollars(row.depth_2pct_usd, lang), row.depth_is_lower_bound)],
    [
      columns.grade,
      <>
        <Letter letter={row.grade} strong />{' '}
        <span className={styles['small']}>{bounded(shownNumber(row.gpa), row.gpa_is_lower_bound)}</span>
      </>,
    ],
    [columns.risk, row.risk_score ?? UNKNOWN],
  ]
  return (
    <dl className={styles['figures']}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** How the grade was computed, the risk and the past, which a visitor does not see. */
function Known({ row }: { readonly row: BoardRow }) {
  const words = useWords()
  const page = usePageWords()
  const signedIn = useSession() !== null
  const read = useRead('GET /tokens/{token_id}', { token_id: row.token_id }, { when: signedIn })
  if (!signedIn)
    return (
      <p className={styles['ask']}>
        {words.signIn}{' '}
        <Button kind="text" size="s" onClick={() => void askSignIn()}>
          {page.signIn}
        </Button>
      </p>
    )
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
    <Card title={title}>
      <div className={styles['section']}>{children}</div>
    </Card>
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
              <th scope="col">{words.measure}</th>
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
          <h3>{words.lifecycleEvents}</h3>
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
                    <PairLink pair={other} /> <bdi className={styles['small']}>{other.exchange}</bdi>
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
