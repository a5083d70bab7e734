import { contract } from '@svc/contract'
import { operatorJobs, operatorOperations } from './operators.ts'
import { gallerySettings } from './settings.ts'

/** The public side: the Hall of agent records, doors, operators, listings, signals and the house runner. */
export const gallery = contract('gallery', {
  title: 'Gallery',
  settings: gallerySettings,
  operations: { ...operatorOperations },
  jobs: { ...operatorJobs },
})
