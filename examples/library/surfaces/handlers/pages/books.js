// @ts-check
import { definePage, h, Table, Type } from 'pantry/page'

const Book = Type.Object({ slug: Type.String(), title: Type.String(), author: Type.String(), year: Type.Integer() })

export default definePage({
  shows: { all: Type.Object({ books: Type.Array(Book) }) },
  view: ({ shown: { all } }) => ({
    title: 'Books',
    main: Table({
      caption: 'The oldest first',
      columns: [
        { head: 'Title', cell: book => h('a', { href: `/books/${book.slug}` }, book.title) },
        { head: 'Author', cell: book => book.author },
        { head: 'Year', cell: book => book.year }
      ],
      rows: all.books
    })
  })
})
