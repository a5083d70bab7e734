import { useState } from 'react'
import { defineWords, useLang } from '../../i18n/index.tsx'
import { readFile } from '../../lib/api.ts'
import { shownDollars } from '../../lib/dollars.ts'
import { shownAmount, shownPercent, UNKNOWN } from '../../lib/money.ts'
import type { Problem } from '../../lib/problem.ts'
import { useRead } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { saveBlob } from '../../lib/save-file.ts'
import { utcDate } from '../../lib/time.ts'
import { Button } from '../../parts/button/button.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Tag } from '../../parts/tag/tag.tsx'
import { Ago } from '../../parts/time/time.tsx'
import { bounded, shownNumber } from './figures.ts'
import { en } from './research-words.ts'
import styles from './research.module.css'

const useWords = defineWords(en, () => import('./research-words.ko.ts'))

/** A pair, and the paired agent whose target it is. */
export interface Asked {
  readonly agent_id: number
  readonly exchange: string
  readonly symbol: string
}

type Summary = Answer<'GET /research/pair'>['kpi_2h']['summary']

const ROWS = ['spread_bps', 'depth_2pct_usd', 'cost_1k_bps', 'cost_10k_bps', 'volume_usd', 'volatility_bps'] as const
const DOLLARS = new Set<string>(['depth_2pct_usd', 'volume_usd'])

/** What scans found about a pair, and its reports. Without the tier, its price stands where they would be. */
export function PairResearch({ asked }: { readonly asked: Asked }) {
  const words = useWords()
  const read = useRead('GET /research/pair', asked)
  if (read.error?.code === 'tier_required') return <Price problem={read.error} />
  return (
    <>
      <Read of={read}>
        {({ meta, kpi_2h, data_health }) => (
          <>
            <h3 className={styles['head']}>
              <bdi>{meta.symbol}</bdi> <bdi className={styles['small']}>{meta.exchange}</bdi>{' '}
              <span className={styles['small']}>{words.period(utcDate(meta.from), utcDate(meta.to))}</span>
            </h3>
            <Warnings warnings={meta.warnings} />
            <Figures summary={kpi_2h.summary} />
            <Health grade={data_health.grade} coverage={data_health.coverage} />
          </>
        )}
      </Read>
      <Reports asked={asked} />
    </>
  )
}

/** The missing tier and what it costs. */
export function Price({ problem }: { readonly problem: Problem }) {
  const words = useWords()
  const preview = useRead('GET /subscriptions/cherries/upgrade-preview', { tier: 1, months: 1 })
  const required = problem.body['required_tier']
  const days =
    preview.data === undefined
      ? null
      : Math.round((Date.parse(preview.data.ends_at) - Date.parse(preview.data.started_at)) / 86_400_000)
  return (
    <p className={styles['price']}>
      <Tag kind="locked">{words.tier(typeof required === 'number' ? String(required) : UNKNOWN)}</Tag>{' '}
      {preview.data === undefined || days === null
        ? preview.error !== null && words.priceUnknown
        : words.price(shownAmount(BigInt(preview.data.price) * 1_000_000n), String(days))}{' '}
      {words.bought}
    </p>
  )
}

function Warnings({ warnings }: { readonly warnings: Answer<'GET /research/pair'>['meta']['warnings'] }) {
  const words = useWords()
  if (warnings.length === 0) return null
  return (
    <ul className={styles['small']}>
      {warnings.map((warning) => (
        <li key={warning}>{words.warnings[warning]}</li>
      ))}
    </ul>
  )
}

function Health({ grade, coverage }: { readonly grade: string | null; readonly coverage: number | null }) {
  const words = useWords()
  const share = coverage === null ? UNKNOWN : shownPercent(Math.floor(coverage * 10_000))
  return <p className={styles['small']}>{words.health(grade ?? UNKNOWN, share)}</p>
}

function Figures({ summary }: { readonly summary: Summary }) {
  const words = useWords()
  const lang = useLang()
  const shown = (key: string, value: number | null) =>
    DOLLARS.has(key) ? shownDollars(value, lang) : shownNumber(value)
  return (
    <div className={styles['scroll']} role="region" aria-label={words.figures} tabIndex={0}>
      <table className={styles['figures']}>
        <thead>
          <tr>
            <th scope="col">{words.figures}</th>
            <th scope="col">{words.median}</th>
            <th scope="col">{words.interval}</th>
            <th scope="col" className={styles['wide']} />
          </tr>
        </thead>
        <tbody>
          {ROWS.map((key) => {
            const { value, low, high, n } = summary[key]
            return (
              <tr key={key}>
                <th scope="row">{words.rows[key]}</th>
                <td>{bounded(shown(key, value), key === 'depth_2pct_usd' && summary.depth_is_lower_bound)}</td>
                <td>{low === null ? UNKNOWN : `${shown(key, low)} – ${shown(key, high)}`}</td>
                <td className={`${styles['small']} ${styles['wide']}`}>{words.from(String(n))}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Reports({ asked }: { readonly asked: Asked }) {
  const words = useWords()
  const read = useRead('GET /reports', asked)
  const [failure, setFailure] = useState<unknown>(null)
  const download = async (id: string) => {
    setFailure(null)
    try {
      saveBlob(`${id}.pdf`, await readFile(`/reports/${id}?agent_id=${asked.agent_id}`))
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <section className={styles['reports']}>
      <h3>{words.reports}</h3>
      {failure !== null && <Failed error={failure} />}
      <Read of={read}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={styles['small']}>{words.noReports}</p>
          ) : (
            <ul>
              {items.map((report) => (
                <li key={report.report_id}>
                  <span>
                    <Ago time={report.created_at} />{' '}
                    <span className={styles['small']}>
                      {[report.lang.toUpperCase(), report.version].join(' · ')}
                      {report.pages !== null && ` · ${words.pages(String(report.pages))}`}
                    </span>
                  </span>
                  {report.status === 'ready' ? (
                    <Button size="s" onClick={() => void download(report.report_id)}>
                      {words.download}
                    </Button>
                  ) : (
                    <Tag>{words.statuses[report.status]}</Tag>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Read>
    </section>
  )
}
