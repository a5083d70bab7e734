import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limitsPage } from './page.ts'

const path = join(import.meta.dirname, '../../..', 'docs/method/venues.md')
writeFileSync(path, limitsPage())
console.log('written: docs/method/venues.md')
