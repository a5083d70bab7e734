import { defineWords } from '../../i18n/index.tsx'
import { every } from '../../lib/polling.ts'
import { useRead, useSession } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Button } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { CsvButton } from '../../parts/csv-button/csv-button.tsx'
import { Empty } from '../../parts/empty/empty.tsx'
import { Pending, Read, Stale } from '../../parts/read/read.tsx'
import { askSignIn } from '../../parts/sign-in/ask-sign-in.ts'
import { Tag } from '../../parts/tag/tag.tsx'
import { Ago } from '../../parts/time/time.tsx'
import { en } from './board-words.ts'
import { Letter } from './letter.tsx'
import { LifecycleTag } from './lifecycle-tag.tsx'
import { PairLink } from './pair-link.tsx'
import { RiskScore, Worth } from './risk-score.tsx'
import styles from './risk.module.css'
import { SourceNote } from './source-note.tsx'
import { en as pageWords } from './words.ts'

const useWords = defineWords(en, () => import('./board-words.ko.ts'))
const usePageWords = defineWords(pageWords, () => import('./words.ko.ts'))

type Answered = Answer<'GET /risk/bottom'>

/** The pairs with the lowest grades, each with its delisting risk and what makes it. */
export default function Risk() {
  const words = useWords()
  const page = usePageWords()
  const signedIn = useSession() !== null
  const read = useRead('GET /risk/bottom', {}, { every: every.board, when: signedIn })
  return (
    <Card
      title={words.riskTitle}
      aside={
        read.data !== undefined && (
          <>
            {words.computed.before} <Ago time={read.data.computed_at} /> {words.computed.after}{' '}
            <CsvButton route="GET /risk/bottom" sent={{}} name="risk" />
          </>
        )
      }
    >
      {signedIn ? (
        <Read of={read}>{(answer) => <Shown answer={answer} />}</Read>
      ) : (
        <Empty
          action={
            <Button kind="act" onClick={() => void askSignIn()}>
              {page.signIn}
            </Button>
          }
        >
          {words.signInRisk}
        </Empty>
      )}
    </Card>
  )
}

function Shown({ answer }: { readonly answer: Answered }) {
  const words = useWords()
  const { pending, stale, computed_at, percent, graded, tokens, in_crisis, worth, source } = answer
  if (pending) return <Pending at={computed_at} />
  return (
    <>
      {stale && computed_at !== null && <Stale time={computed_at} />}
      <p className={styles['small']}>
        {words.riskLead} <SourceNote source={source} />
      </p>
      {in_crisis.length > 0 && (
        <>
          <h3 className={styles['head']}>{words.inCrisis}</h3>
          <Rows rows={in_crisis} />
        </>
      )}
      <h3 className={styles['head']}>{words.riskTab(String(percent), String(graded))}</h3>
      {tokens.length === 0 ? <Empty>{words.riskEmpty}</Empty> : <Rows rows={tokens} />}
      <Worth worth={worth} />
    </>
  )
}

function Rows({ rows }: { readonly rows: Answered['tokens'] }) {
  const page = usePageWords()
  return (
    <ul className={styles['rows']}>
      {rows.map((row) => (
        <li key={row.token_id}>
          <header>
            <PairLink pair={row} />
            <bdi className={styles['small']}>{row.exchange}</bdi>
            <Letter letter={row.grade} strong />
            <LifecycleTag lifecycle={row.lifecycle} />
            {row.alerts?.map((alert) => (
              <Tag key={alert.episode_id} kind="out">
                {page.rules[alert.rule]}
              </Tag>
            ))}
          </header>
          <RiskScore risk={row.risk} />
        </li>
      ))}
    </ul>
  )
}
