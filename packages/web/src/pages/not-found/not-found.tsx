import { useShared } from '../../i18n/index.tsx'
import { ButtonLink } from '../../parts/button/button.tsx'
import { Page } from '../../parts/page/page.tsx'
import { pages } from '../../routes.ts'

/** What stands at an address without a page. */
export default function NotFound() {
  const words = useShared()
  return (
    <Page title={words.missing.title} lead={words.missing.said}>
      <ButtonLink kind="act" to={pages.home}>
        {words.missing.home}
      </ButtonLink>
    </Page>
  )
}
