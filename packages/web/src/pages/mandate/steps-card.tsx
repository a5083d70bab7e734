import { Card } from '../../parts/card/card.tsx'
import { Ago } from '../../parts/time/time.tsx'
import type { Scene } from './scene.ts'
import styles from './mandate.module.css'

/** What is done and what is left until the agent can work. */
export default function StepsCard({ scene: { detail, words } }: { readonly scene: Scene }) {
  const { progress, steps } = detail
  return (
    <Card title={words.steps.title} aside={words.steps.of(progress.steps_done, progress.steps_total)}>
      <ol className={styles['steps']}>
        {steps.map(({ key, title, done, at }) => (
          <li key={key} className={done ? styles['done'] : ''}>
            <span>{words.step[key] ?? title}</span>
            {at !== null && (
              <span className={styles['when']}>
                <Ago time={at} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}
