import type { ReactNode } from 'react'
import { useChainName } from '../../i18n/chain-name.ts'
import { defineWords } from '../../i18n/index.tsx'
import { Hash } from '../hash/hash.tsx'
import { Seal } from '../seal/seal.tsx'
import { en } from './words.ts'
import styles from './deed.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

interface DeedProps {
  readonly name: string
  readonly owner: string
  readonly agent: string
  readonly agentName?: string | null
  readonly chain: { readonly name: string; readonly id: number }
  /** Digest of the signed terms; null before the signature. */
  readonly sealed: string | null
  /** The seal comes down now. */
  readonly fresh?: boolean
  /** The clauses. */
  readonly children: ReactNode
}

/** The paper: what is signed, between whom, where, with the place of the seal. */
export function Deed({ name, owner, agent, agentName = null, chain, sealed, fresh = false, children }: DeedProps) {
  const words = useWords()
  const chainName = useChainName()
  return (
    <article className={styles['deed']}>
      <header className={styles['head']}>
        <div className={styles['title']}>
          <p className={styles['version']}>{words.version}</p>
          <h2 className={styles['name']}>
            <bdi>{name}</bdi>
          </h2>
        </div>
        <Seal digest={sealed} empty={words.seal} told={words.told} fresh={fresh} />
      </header>
      <dl className={styles['parties']}>
        <div>
          <dt>{words.owner}</dt>
          <dd>
            <Hash value={owner} signed />
          </dd>
        </div>
        <div>
          <dt>{words.agent}</dt>
          <dd>
            {agentName !== null && <bdi className={styles['agent']}>{agentName}</bdi>} <Hash value={agent} signed />
          </dd>
        </div>
        <div>
          <dt>{words.network}</dt>
          <dd>{words.chain(chainName(chain), chain.id)}</dd>
        </div>
      </dl>
      {children}
    </article>
  )
}
