import { Bones } from '../../parts/bones/bones.tsx'
import { Card } from '../../parts/card/card.tsx'
import styles from './mandate.module.css'

const LINES = [0.3, 1, 1, 1, 1, 0.5]

/** Stands in for the picture and the positions at about their height, so that what follows stays where it is. */
export const TradedBones = () => (
  <div className={styles['tradedBones']}>
    <Card>
      <Bones lines={LINES} rem={2.4} />
    </Card>
  </div>
)
