import { createContext, type ComponentChildren, type VNode } from 'preact'
import { english, type Language } from '../vocabulary/language.ts'
import type { Word } from '../vocabulary/texts.ts'

/** The language in which the components speak. */
const Spoken = createContext<Language>(english)

/** Returns the content of a page, whose components speak a language. */
export const speaking = (language: Language, main: VNode): VNode => (
  <Spoken.Provider value={language}>{main}</Spoken.Provider>
)

const Say = ({ word }: Readonly<{ word: Word }>): VNode => <Spoken.Consumer>{({ say }) => say(word)}</Spoken.Consumer>

/** A column of a table. */
export type Column<Row> = Readonly<{
  /** The heading; empty for a column of buttons. */
  head: string
  cell: (row: Row) => ComponentChildren
  isNumber?: boolean
  /** Where the heading leads, to sort the rows by the column, and how they are sorted by it now. */
  sort?: Readonly<{ href: string; order: 'ascending' | 'descending' | undefined }>
}>

const arrows = { ascending: '↑', descending: '↓' } as const

/** The heading of a column; of one that sorts a link, in whose cell programs read the order (ARIA 1.2, `aria-sort`). */
const Heading = ({ head, sort }: Pick<Column<never>, 'head' | 'sort'>): VNode =>
  sort === undefined ? (
    <>{head}</>
  ) : (
    <a href={sort.href}>
      {head}
      {sort.order !== undefined && <span aria-hidden="true"> {arrows[sort.order]}</span>}
    </a>
  )

type TableProps<Row> = Readonly<{
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  none?: string
}>

/**
 * A table with a caption, which scrolls on its own if it is too wide; on a small screen each row is a list. The first
 * cell of each row is its heading, and each other cell names its column.
 * Without rows, the text `none` is shown, else that there is nothing to show.
 */
export function Table<Row>({ caption, columns, rows, none }: TableProps<Row>): VNode {
  if (rows.length === 0) return <p class="none">{none ?? <Say word="There is nothing to show." />}</p>
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
                <th scope="col" class={align(column)} aria-sort={column.sort?.order}>
                  <Heading {...column} />
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
                  <td class={align(column)} data-label={column.head || undefined}>
                    {column.cell(row)}
                  </td>
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
          <dd>
            {value ?? (
              <span class="none">
                <Say word="not given" />
              </span>
            )}
          </dd>
        </>
      ))}
  </dl>
)

/** Shows why a form was refused (`reason`, a sentence), with a link to the path `back`. */
export const Refused = ({ reason, back }: Readonly<{ reason: string; back: string }>): VNode => (
  <>
    <p class="mistake" role="alert">
      <strong>
        <Spoken.Consumer>{({ messageOf }) => messageOf(reason)}</Spoken.Consumer>
      </strong>
    </p>
    <p>
      <a href={back}>
        <Say word="Back" />
      </a>
    </p>
  </>
)
