import { Component, type ReactNode } from 'react'
import { useShared } from '../../i18n/index.tsx'
import { Button } from '../button/button.tsx'
import { Page } from '../page/page.tsx'

interface Props {
  /** A change of it is a new page, which deserves a new attempt. */
  readonly place: string
  readonly children: ReactNode
}

/** Keeps a page that fails from taking the others with it. */
export class CrashGuard extends Component<Props, { readonly failedAt: string | null }> {
  override state: { readonly failedAt: string | null } = { failedAt: null }

  static getDerivedStateFromProps(props: Props, state: { readonly failedAt: string | null }) {
    return state.failedAt === '' ? { failedAt: props.place } : null
  }

  static getDerivedStateFromError(): { readonly failedAt: string } {
    return { failedAt: '' }
  }

  override componentDidCatch(error: unknown): void {
    // A failure is reported once, as an uncaught error, so that tests and the console of the reader see it.
    reportError(error)
  }

  override render(): ReactNode {
    return this.state.failedAt === this.props.place ? <Crashed /> : this.props.children
  }
}

function Crashed() {
  const words = useShared()
  return (
    <Page title={words.crash.title} lead={words.crash.said}>
      <Button kind="act" onClick={() => location.reload()}>
        {words.crash.reload}
      </Button>
    </Page>
  )
}
