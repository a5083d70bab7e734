import { Bones } from '../../parts/bones/bones.tsx'
import { Card } from '../../parts/card/card.tsx'
import styles from './mandate.module.css'

const LINES = [0.3, 1, 1, 1, 1, 0.5]

/** Entries of a record that only began: its terms, its vault and a deposit. */
const BEGINNING = 8

/**
 * Stands in for the picture and the positions at about their height, so that what follows stays where it is. A record of few
 * entries, of which `head` is the newest, has most likely no trade yet.
 */
export const TradedBones = ({ head }: { readonly head: number }) =>
  head <= BEGINNING ? (
    <div className={styles['untraded']}>
      <Card>
        <Bones lines={[0.3, 0.6]} rem={2} />
      </Card>
    </div>
  ) : (
    <div className={styles['tradedBones']}>
      <Card>
        <Bones lines={LINES} rem={2.4} />
      </Card>
    </div>
  )
