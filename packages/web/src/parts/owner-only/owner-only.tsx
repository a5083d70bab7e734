import type { ReactNode } from 'react'
import { useShared } from '../../i18n/index.tsx'
import { useSession, useSessionPending } from '../../lib/reads.ts'
import { Button } from '../button/button.tsx'
import { Empty } from '../empty/empty.tsx'
import { Page } from '../page/page.tsx'
import { askSignIn } from '../sign-in/ask-sign-in.ts'

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
  const pending = useSessionPending()
  const { top } = useShared()
  if (session !== null) return children
  const signIn = (
    <Button kind="act" busy={pending} onClick={() => void askSignIn()}>
      {top.signIn}
    </Button>
  )
  const ask = <Empty action={signIn}>{why}</Empty>
  return title === undefined ? ask : <Page title={title}>{ask}</Page>
}
