import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(dirname(import.meta.dirname))
const documents = globSync(['{README,AGENTS}.md', 'docs/**/*.md', 'infra/*.md', 'services/{*,*/*}/README.md'], {
  cwd: root,
})

/** Methods of MCP, which look like paths below `tools`. */
const METHODS = new Set(['tools/list', 'tools/call'])

/** Returns the paths that a document names as code: from the root, or of its own folder. */
function pathsOf(document: string): readonly string[] {
  const text = readFileSync(join(root, document), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
  return [...text.matchAll(/`((?:tools|packages|services|docs|infra|src|test)\/[\w./-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !METHODS.has(path))
}

test.each(documents)('%s names only paths that exist', (document) => {
  const places = [root, join(root, dirname(document))]
  const missing = pathsOf(document).filter((path) => !places.some((place) => existsSync(join(place, path))))
  expect(missing).toEqual([])
})
