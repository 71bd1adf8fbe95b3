// @ts-check
import { definePage, Facts, Type } from 'pantry/page'

const Book = Type.Object({ title: Type.String(), author: Type.String(), year: Type.Integer() })

export default definePage({
  shows: { found: Type.Object({ book: Book }) },
  view: ({
    shown: {
      found: { book }
    }
  }) => ({ title: book.title, main: Facts({ of: { Author: book.author, 'First published': book.year } }) })
})
