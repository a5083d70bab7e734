import { useRef } from 'react'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import { AsOf } from '../../parts/time/time.tsx'
import { Bones } from '../../parts/bones/bones.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Said } from './said.tsx'
import { useSeen } from './use-seen.ts'
import type { Words } from './words.ts'
import styles from './home.module.css'

/** What the station lets a visitor do now, as its switches stand. */
export function Station({ words: { station, said } }: { readonly words: Words }) {
  const place = useRef<HTMLElement>(null)
  const seen = useSeen(place)
  const read = useRead('GET /hub/info/station-status', {}, { every: every.board, when: seen })
  return (
    <section ref={place} className={styles['section']}>
      <Card
        kind="sunk"
        title={station.title}
        aside={read.data === undefined ? undefined : <AsOf time={read.data.computed_at} said={station.computed} />}
      >
        <Read of={read} bones={<Bones lines={[0.9, 0.8, 0.9]} />}>
          {({ labels, relay_ok, ...switches }) => (
            <ul className={styles['station']}>
              {(Object.keys(station.of) as (keyof typeof station.of)[]).map((name) => {
                const on = name === 'relay' ? relay_ok : switches[name]
                return (
                  <li key={name} className={on ? styles['on'] : ''}>
                    <span className={styles['switch']}>
                      {station.of[name]} <b>{on ? station.on : station.off}</b>
                    </span>
                    <Said text={labels[name]} said={said} className={styles['label']} />
                  </li>
                )
              })}
            </ul>
          )}
        </Read>
      </Card>
    </section>
  )
}
