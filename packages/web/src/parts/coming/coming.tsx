import { useShared } from '../../i18n/index.tsx'
import { Page } from '../page/page.tsx'

/** A page that is not built yet says so, and where its figures are. */
export function Coming({ title, paths }: { readonly title: string; readonly paths: readonly string[] }) {
  const words = useShared()
  return (
    <Page title={title} lead={words.coming}>
      <ul>
        {paths.map((path) => (
          <li key={path}>
            <code>{path}</code>
          </li>
        ))}
      </ul>
    </Page>
  )
}
