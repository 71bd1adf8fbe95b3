import t from 'tap'
import { exportedHandlers, handlerId } from '../../../core/registry/rules/handlers.ts'

const handler = { reply: {}, handle: () => ({}) }

t.test('the id of a handler follows from its file and the name of the export', t => {
  const ids = {
    default: 'books',
    post: 'books.post',
    delete: 'books.delete',
    loans: 'books/loans',
    loansPost: 'books/loans.post',
    lateLoansPut: 'books/late-loans.put',
    postOffice: 'books/post-office',
    get: 'books/get',
    isbn13: 'books/isbn13'
  }
  for (const [name, id] of Object.entries(ids)) t.equal(handlerId('books', name), id, name)
  t.equal(handlerId('library/books', 'loans'), 'library/books/loans')
  for (const name of ['Loan', 'late_loans', '$', 'a-b', '']) t.equal(handlerId('books', name), undefined, name)
  t.equal(new Set(Object.keys(ids).map(name => handlerId('books', name))).size, Object.keys(ids).length)
  t.end()
})

t.test('every export of a file is a handler', t => {
  const found = (module: object): unknown =>
    exportedHandlers('surfaces/handlers/books.ts', 'books', module).map(one => [one.id, one.problem?.message])
  t.same(found({ default: handler, loansPost: handler }), [
    ['books', undefined],
    ['books/loans.post', undefined]
  ])
  t.same(found({ loans: handler }), [['books/loans', undefined]], 'none has the id of the file')
  t.same(found({}), [['books', 'The default export is not a handler: it has no `handle`.']])
  t.same(found({ default: handler, most: 6, schema: { handle: handler.handle } }), [
    ['books', undefined],
    [undefined, 'The export `most` is not a handler. It is an error from 0.3.0 on.'],
    ['books/schema', 'The export `schema` is not a handler: it has no `reply`.']
  ])
  t.same(found({ Loans: handler }), [['books/Loans', 'The handler `Loans` has a name that no id follows from.']])
  t.end()
})
