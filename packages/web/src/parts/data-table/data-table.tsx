import type { ReactNode } from 'react'
import styles from './data-table.module.css'

/** A column of a table. */
export interface Column<Row> {
  readonly key: string
  readonly head: ReactNode
  readonly cell: (row: Row) => ReactNode
  /** Figures stand at the end, so that their digits stand under one another. */
  readonly figure?: boolean
  /** Left out on small screens; what it says must be reachable elsewhere. */
  readonly wideOnly?: boolean
  /** Direction in which the rows are sorted by this column. */
  readonly sorted?: 'ascending' | 'descending'
}

interface DataTableProps<Row> {
  /** What the table shows, for readers of the screen. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  readonly dense?: boolean
}

/** A table; rows out of sight cost nothing. Wide ones scroll in their own frame. */
export function DataTable<Row>({ caption, columns, rows, keyOf, dense = false }: DataTableProps<Row>) {
  const classOf = (column: Column<Row>) =>
    [column.figure === true ? styles['figure'] : '', column.wideOnly === true ? styles['wideOnly'] : ''].join(' ')
  return (
    <div className={styles['frame']} role="region" aria-label={caption} tabIndex={0}>
      <table className={dense ? `${styles['table']} ${styles['dense']}` : styles['table']}>
        <caption className="told">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={classOf(column)} aria-sort={column.sorted}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.key} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
