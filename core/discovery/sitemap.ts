import { isOpen } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import { Closed, defineDocument, Path } from './define.ts'

const Document = Closed({ '@kind': Type.Literal('sitemap'), urls: Type.Array(Path) })

/**
 * Lists the open pages whose paths have no placeholders. For other pages, a service has its own sitemaps, such as
 * `/sitemap-books.xml`; `robots.txt` names all of them.
 */
export const sitemap = defineDocument(Document)({
  build: ({ surfaces }) => ({
    '@kind': 'sitemap',
    urls: surfaces
      .filter(
        ({ access, route, formats }) =>
          isOpen(access) && formats[0] === 'html' && route.methods.includes('GET') && route.placeholders.length === 0
      )
      .map(({ route }) => route.path)
  })
})
