import { useLang } from '../../i18n/index.tsx'
import { UNKNOWN } from '../../lib/money.ts'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import { AsOf } from '../../parts/time/time.tsx'
import { Bones } from '../../parts/bones/bones.tsx'
import { Pending, Read, Stale } from '../../parts/read/read.tsx'
import type { Words } from './words.ts'
import styles from './home.module.css'

/** Four live figures of all mandates; nothing of what anybody hopes to earn. */
export function ProofStrip({ words: { proof } }: { readonly words: Words }) {
  const read = useRead('GET /hub/hall/proof', {}, { every: every.hall })
  const language = useLang()
  const count = (value: number | null) => (value === null ? UNKNOWN : value.toLocaleString(language))
  return (
    <section className={styles['proof']} aria-labelledby="proof">
      <header className={styles['proofHead']}>
        <h2 id="proof">{proof.title}</h2>
        {read.data?.stale === false && read.data.computed_at !== null && (
          <span className={styles['label']}>
            <AsOf time={read.data.computed_at} said={proof.computed} />
          </span>
        )}
      </header>
      <Read of={read} bones={<Bones lines={[1]} rem={3.4} />}>
        {(figures) =>
          figures.pending ? (
            <Pending at={null} />
          ) : (
            <>
              {figures.stale && figures.computed_at !== null && <Stale time={figures.computed_at} />}
              <dl className={styles['figures']}>
                {[
                  [count(figures.mandates_working), proof.working],
                  [count(figures.calls_refused_on_chain), proof.refused],
                  [count(figures.days_inside_limits), proof.inside],
                  [
                    figures.records_verifiable_pct === null ? UNKNOWN : `${figures.records_verifiable_pct}%`,
                    proof.verifiable,
                  ],
                ].map(([figure, name]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{figure}</dd>
                  </div>
                ))}
              </dl>
            </>
          )
        }
      </Read>
    </section>
  )
}
