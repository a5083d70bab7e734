import type { ReactNode } from 'react'
import { Amount } from '../../parts/amount/amount.tsx'
import styles from './mandate.module.css'

interface TermProps {
  readonly name: ReactNode
  /** A remark beside the name. */
  readonly hint?: string
  readonly children: ReactNode
}

/** One line of a list of figures. */
export function Term({ name, hint, children }: TermProps) {
  return (
    <div>
      <dt>
        {name}
        {hint !== undefined && <span className={styles['hint']}> {hint}</span>}
      </dt>
      <dd>{children}</dd>
    </div>
  )
}

/** An amount in such a list; null is unknown. */
export function Sum({ units, ...term }: Omit<TermProps, 'children'> & { readonly units: bigint | null }) {
  return (
    <Term {...term}>
      <Amount units={units} />
    </Term>
  )
}
