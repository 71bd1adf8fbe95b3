import type { ComponentChildren, VNode } from 'preact'

/** A column of a table. */
export type Column<Row> = Readonly<{
  /** The heading; empty for a column of buttons. */
  head: string
  cell: (row: Row) => ComponentChildren
  isNumber?: boolean
}>

type TableProps<Row> = Readonly<{
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  none?: string
}>

/**
 * A table with a caption, which scrolls on its own if it is too wide. The first cell of each row is its heading.
 * Without rows, the text `none` is shown.
 */
export function Table<Row>({ caption, columns, rows, none = 'There is nothing to show.' }: TableProps<Row>): VNode {
  if (rows.length === 0) return <p class="none">{none}</p>
  const align = ({ isNumber = false }: Column<Row>): string | undefined => (isNumber ? 'number' : undefined)
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(column =>
              column.head === '' ? (
                <td></td>
              ) : (
                <th scope="col" class={align(column)}>
                  {column.head}
                </th>
              )
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr>
              {columns.map((column, at) =>
                at === 0 ? (
                  <th scope="row" class={align(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td class={align(column)}>{column.cell(row)}</td>
                )
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A list of names and values. A value of false omits its line; null and undefined are shown as `not given`. */
export const Facts = ({ of }: Readonly<{ of: Readonly<Record<string, ComponentChildren>> }>): VNode => (
  <dl class="facts">
    {Object.entries(of)
      .filter(([, value]) => value !== false)
      .map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value ?? <span class="none">not given</span>}</dd>
        </>
      ))}
  </dl>
)

/** Shows why a form was refused (`reason`, a sentence), with a link to the path `back`. */
export const Refused = ({ reason, back }: Readonly<{ reason: string; back: string }>): VNode => (
  <>
    <p class="mistake" role="alert">
      <strong>{reason}</strong>
    </p>
    <p>
      <a href={back}>Back</a>
    </p>
  </>
)
