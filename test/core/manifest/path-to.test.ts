import t from 'tap'
import { compilePathTo } from '../../../core/manifest/path-to.ts'
import { parseSegments, placeholdersOf } from '../../../core/manifest/route.ts'

const pathTo = compilePathTo(
  new Map(
    ['/books/{isbn}', '/books/new', '/'].map(path => [
      path,
      { route: { path, placeholders: placeholdersOf(path), segments: parseSegments(path) } }
    ])
  )
)

t.test('the declared path of what answers at a path is found, a literal before a placeholder', t => {
  t.equal(pathTo.at('/books/new'), '/books/new')
  t.equal(pathTo.at('/books/978'), '/books/{isbn}')
  t.equal(pathTo.at('/books/{isbn}'), '/books/{isbn}')
  t.equal(pathTo.at('/'), '/')
  for (const path of ['', '/books', '/books/978/pages', '/films/978']) t.equal(pathTo.at(path), undefined, path)
  t.end()
})
