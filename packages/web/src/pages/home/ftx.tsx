import { Card } from '../../parts/card/card.tsx'
import type { Words } from './words.ts'
import styles from './home.module.css'

/** Facts of the method page about the collapse of FTX, as our rules saw its recording. */
const FACTS = [
  ['hour', '−14.4%'],
  ['market', '−1.2%'],
  ['pairs', '325'],
  ['episodes', '4'],
] as const

/** What the rules said on a day that happened. */
export function Ftx({ words: { ftx } }: { readonly words: Words }) {
  return (
    <Card title={ftx.title}>
      <p className={styles['when']}>{ftx.when}</p>
      <p>{ftx.alert}</p>
      <dl className={styles['facts']}>
        {FACTS.map(([name, fact]) => (
          <div key={name}>
            <dt>{ftx[name]}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      <p className={styles['made']}>
        {ftx.license} <a href="/ui/docs/method/crisis">{ftx.method}</a>
      </p>
    </Card>
  )
}
