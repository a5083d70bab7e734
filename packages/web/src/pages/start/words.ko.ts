export { en as ko } from './words.ts'
