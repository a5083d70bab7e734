import type { ReactNode } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Card } from '../../parts/card/card.tsx'
import { DataTable, type Column } from '../../parts/data-table/data-table.tsx'
import { Empty } from '../../parts/empty/empty.tsx'
import { Page, Stack } from '../../parts/page/page.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Ago } from '../../parts/time/time.tsx'
import { Unknown } from '../../parts/unknown/unknown.tsx'
import styles from './status.module.css'
import { en, type Words } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))
type Workers = Answer<'GET /hub/status/workers'>
type Worker = Workers['workers'][number]

/** Share of the time, in percent, above which a stop line that could not fire needs a look. */
const IDLE_PCT = 1

/** Whether the workers behind the limits run. */
export default function Status() {
  const words = useWords()
  const read = useRead('GET /hub/status/workers', {}, { every: every.slow })
  return (
    <Page title={words.title} lead={words.lead}>
      <Read of={read}>
        {(data) => (data.pending ? <Empty>{words.none}</Empty> : <Report data={data} words={words} />)}
      </Read>
    </Page>
  )
}

interface ReportProps {
  readonly data: Workers
  readonly words: Words
}

function Report({ data, words }: ReportProps) {
  const bad = data.workers.filter(({ state }) => state !== 'ok').length
  const headline = bad === 0 ? words.all(data.workers.length) : words.some(bad, data.workers.length)
  const { vaults_unavailable_pct_30d: vaults, legs_unavailable_pct_30d: legs } = data.stop_line
  const isCalm = bad === 0 && [vaults, legs].every((idle) => (idle ?? 0) <= IDLE_PCT)
  const hall = data.snapshots.find(({ key }) => key === 'hall')?.age_sec ?? null
  return (
    <Stack>
      <Card title={words.stopLine} kind={isCalm ? 'sheet' : 'held'}>
        <StopLines data={data} words={words} />
        <p className={styles['hint']}>{words.stopLineHint}</p>
      </Card>
      <Card
        title={headline}
        aside={
          <>
            {words.hall}: <Age seconds={hall} words={words} />
          </>
        }
        bare
      >
        <DataTable
          caption={words.workers}
          columns={columnsOf(words)}
          rows={data.workers}
          keyOf={({ service, worker }) => `${service} ${worker}`}
        />
      </Card>
    </Stack>
  )
}

function StopLines({ data, words }: ReportProps) {
  const { legs, stop_line: line, oldest_worth_reading_age_sec: worth } = data
  const percent = (value: number | null) => (value === null ? <Unknown /> : `${value}%`)
  return (
    <dl className={styles['facts']}>
      <Fact name={words.vaults} value={percent(line.vaults_unavailable_pct_30d)} />
      {legs?.with_stop_line === 0 ? (
        <Fact name={words.ofLegs} value={words.noLegs} />
      ) : (
        <>
          <Fact name={words.ofLegs} value={percent(line.legs_unavailable_pct_30d)} />
          <Fact
            name={words.legs}
            value={legs === null ? <Unknown /> : words.legsProtected(legs.protected, legs.with_stop_line)}
          />
        </>
      )}
      <Fact name={words.worth} value={<Age seconds={worth} words={words} />} />
      <Fact name={words.watchedSince} value={<Ago time={line.watched_since} />} />
    </dl>
  )
}

const Fact = ({ name, value }: { readonly name: string; readonly value: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

const Age = ({ seconds, words }: { readonly seconds: number | null; readonly words: Words }) =>
  seconds === null ? <Unknown /> : words.ago(words.seconds(seconds))

const columnsOf = (words: Words): readonly Column<Worker>[] => [
  {
    key: 'worker',
    head: words.worker,
    cell: ({ service, worker, title }) => {
      const name = words.names[`${service} ${worker}`]
      return (
        <>
          <span {...(name === undefined ? { lang: 'en' } : {})} className={styles['title']}>
            {name ?? title}
          </span>
          <code className={styles['name']}>{worker}</code>
        </>
      )
    },
  },
  { key: 'service', head: words.service, wideOnly: true, cell: ({ service }) => service },
  {
    key: 'state',
    head: words.state,
    cell: ({ state, mode }) => (
      <>
        <span className={styles[state]}>{words.states[state]}</span>
        {mode === 'dry' && <span className={styles['mode']}>{words.dry}</span>}
      </>
    ),
  },
  {
    key: 'last',
    head: words.lastRun,
    figure: true,
    cell: ({ last_run_age_sec }) => words.ago(words.seconds(last_run_age_sec)),
  },
  {
    key: 'period',
    head: words.period,
    figure: true,
    wideOnly: true,
    cell: ({ every_sec }) => words.seconds(Math.round(every_sec)),
  },
]
