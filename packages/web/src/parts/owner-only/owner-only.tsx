import type { ReactNode } from 'react'
import { useSession } from '../../lib/reads.ts'
import { Empty } from '../empty/empty.tsx'
import { Page } from '../page/page.tsx'
import { WalletButton } from '../wallet-button/wallet-button.tsx'

interface OwnerOnlyProps {
  /** Why there is nothing to see without a session. */
  readonly why: ReactNode
  readonly children: ReactNode
  /** Heading of the page for a visitor, where the page itself stands inside. */
  readonly title?: string
}

/** What only a signed-in person sees; a visitor reads why and signs in at the same place. */
export function OwnerOnly({ why, title, children }: OwnerOnlyProps) {
  const session = useSession()
  if (session !== null) return children
  const ask = <Empty action={<WalletButton />}>{why}</Empty>
  return title === undefined ? ask : <Page title={title}>{ask}</Page>
}
