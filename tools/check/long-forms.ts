import { glob, readFile } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { importsOf } from './imports-of.ts'

const sources = [
  '{packages/*,services/*,services/*/*}/test/**/*.ts',
  '{packages/*,services/*,services/*/*}/src/**/*.test.ts',
  'tools/**/*.ts',
]
const testFile = /\.(test|e2e)\.ts$/
const readsLong = /process\.env\['TEST_LONG'\]/

/**
 * Returns the test files that have a long form, sorted: those that read TEST_LONG, themselves or in a module of their project
 * that they import, at any distance. Paths are relative to the root, with `/`.
 */
export async function findLongForms(root: string): Promise<string[]> {
  const texts = new Map<string, string>()
  for await (const path of glob(sources, { cwd: root, exclude: (name) => name === 'node_modules' }))
    texts.set(path.split(sep).join('/'), await readFile(join(root, path), 'utf8'))
  const long = new Set([...texts].filter(([, text]) => readsLong.test(text)).map(([file]) => file))
  // A set also iterates over what is added meanwhile.
  for (const module of long)
    for (const [file, text] of texts)
      if (!long.has(file) && text.includes(basename(module)) && imports(file, text, module)) long.add(file)
  return [...long].filter((file) => testFile.test(file)).toSorted()
}

function imports(file: string, text: string, module: string): boolean {
  return importsOf(file, text).some((specifier) => {
    if (specifier.startsWith('#')) return file.startsWith('tools/') && `tools/${specifier.slice(1)}` === module
    return specifier.startsWith('.') && join(dirname(file), specifier).split(sep).join('/') === module
  })
}
