export { walkBook, type Book, type BookLevel, type Quantity, type Walk } from './walk-book.ts'
