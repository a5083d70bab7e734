import { defineWords, useLang } from '../../i18n/index.tsx'
import type { Answer } from '../../lib/routes-of-api.ts'
import { unbroken, UNKNOWN } from '../../lib/money.ts'
import { en } from './board-words.ts'
import { bounded, shownNumber } from './figures.ts'
import styles from './token.module.css'

const useWords = defineWords(en, () => import('./board-words.ko.ts'))

export type RiskView = Answer<'GET /tokens/{token_id}'>['risk']
export type WorthView = Answer<'GET /tokens/{token_id}'>['worth']

/** A risk score with what it says in words and the factors that add up to it. */
export function RiskScore({ risk }: { readonly risk: RiskView }) {
  const words = useWords()
  const lang = useLang()
  if (risk === null) return <p className={styles['small']}>{UNKNOWN}</p>
  return (
    <>
      <p>
        <b>{risk.score === null ? UNKNOWN : words.riskScore(String(risk.score))}</b>{' '}
        <span className={styles['small']}>
          {risk.reason !== null && words.riskReasons[risk.reason]} {words.peers(String(risk.n_peers))}
        </span>
      </p>
      {risk.text[lang] !== '' && <p>{unbroken(risk.text[lang])}</p>}
      {risk.factors.length > 0 && (
        <details className={styles['factors']}>
          <summary>{words.factors}</summary>
          <ul>
            {risk.factors.map((factor) => (
              <li key={factor.key}>
                <code>{factor.key}</code>
                <span>{bounded(shownNumber(factor.value), factor.is_lower_bound)}</span>
                <b>+{shownNumber(factor.points)}</b>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** What such a rank was worth in the past, with intervals. */
export function Worth({ worth }: { readonly worth: WorthView }) {
  const words = useWords()
  if (worth === null || worth.bands.length === 0) return null
  const share = (part: number) => `${shownNumber(part * 100, 1)}%`
  const titles = new Map(worth.samples.map(({ id, title }) => [id, title]))
  return (
    <details className={styles['factors']}>
      <summary>{worth.rank === null ? words.bands : words.worth}</summary>
      {worth.bands.map((band) => (
        <section key={band.from_score}>
          <h3>{words.band(String(band.from_score), String(band.to_score))}</h3>
          <ul>
            {band.rates.map((rate) => (
              <li key={`${rate.sample} ${rate.days}`}>
                <span>
                  {words.worthRow(
                    titles.get(rate.sample) ?? rate.sample,
                    String(rate.days),
                    String(rate.delisted),
                    String(rate.n),
                  )}
                </span>
                <span className={styles['small']}>{words.worthInterval(share(rate.low), share(rate.high))}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </details>
  )
}
