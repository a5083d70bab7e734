import { Page } from '../../parts/page/page.tsx'
import { useWords } from './use-words.ts'

/** From limits to a working mandate. */
export default function Start() {
  const words = useWords()
  return <Page title={words.step[0]?.title ?? ''}>{null}</Page>
}
