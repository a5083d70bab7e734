import styles from './bones.module.css'

interface BonesProps {
  /** Width of each line, as a share of the place. */
  readonly lines?: readonly number[]
  /** Height of a line, in rem. */
  readonly rem?: number
}

/** What is being read, in the shape of what will stand here. Appears after a moment, so that a fast answer does not flash. */
export function Bones({ lines = [0.4, 0.9, 0.7], rem = 1 }: BonesProps) {
  return (
    <div className={styles['bones']} aria-hidden="true">
      {lines.map((share, index) => (
        // Lines have no identity and never move.
        <span key={index} style={{ width: `${share * 100}%`, height: `${rem}rem` }} />
      ))}
    </div>
  )
}
