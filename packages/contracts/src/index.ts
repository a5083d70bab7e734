export * from './common.ts'
export * from './settings.ts'
