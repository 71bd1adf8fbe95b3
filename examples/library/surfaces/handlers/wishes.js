// @ts-check
import { defineHandler, invalid, reply, Type } from 'pantry/handler'

const Book = Type.Object({ slug: Type.String(), title: Type.String(), author: Type.String(), year: Type.Integer() })

export const post = defineHandler({
  corpora: { books: Book },
  body: { schema: Type.Object({ list: Type.Optional(Type.String({ maxLength: 4096 })) }), limitBytes: 8192 },
  files: { file: { types: ['text/plain', 'text/csv'], limitBytes: 65_536 } },
  reply: Type.Object({ here: Type.Array(Book), missing: Type.Array(Type.String()) }),
  handle: ({ body: { list }, files: { file }, corpora: { books } }) => {
    const titles = (list ?? file?.text() ?? '').split(/\r?\n/).filter(line => line !== '')
    if (titles.length === 0) throw invalid('list', 'Give a title in each line, or send a file.')
    const here = books.entries.filter(({ title }) => titles.includes(title))
    return reply({ here, missing: titles.filter(wanted => !here.some(({ title }) => title === wanted)) })
  }
})
