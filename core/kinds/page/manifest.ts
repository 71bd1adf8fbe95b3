import { Type } from '../../canonical/type.ts'
import { Field } from '../../manifest/facets.ts'
import type { ManifestWith } from '../../manifest/schema.ts'

const Targets = (description: string, example: Readonly<Record<string, string>>) =>
  Type.Record(Field, Type.String({ pattern: '^(?:/|\\{\\+)', maxLength: 300 }), {
    minProperties: 1,
    examples: [example],
    description
  })

export const fields = {
  method: Type.Optional(
    Type.Enum(['GET', 'POST'], {
      examples: ['POST'],
      description: 'Default GET. A page that takes a form has POST, and `sends`.'
    })
  ),
  shows: Type.Optional(
    Targets(
      'What the page shows: for each name that its view reads, the request that is asked, as a URI template (RFC 6570) of the values of the path and the query. The page fails as the first of them fails.',
      { book: '/api/v1/library/books/{isbn}', others: '/api/v1/search?kind=book{&q}' }
    )
  ),
  besides: Type.Optional(
    Targets(
      'The same for what the page can do without: its view is told why there is none. It may name what is shown: `{book.author.id}`.',
      { loans: '/api/v1/library/loans/{isbn}' }
    )
  ),
  sends: Type.Optional(
    Type.String({
      pattern: '^(?:/|\\{\\+)',
      maxLength: 300,
      examples: ['/api/v1/library/reading-note'],
      description:
        'Of a page that takes a form: the surface that is asked with POST, as a URI template. It may name what is shown. The view makes the JSON body of it, and is given the answer, also a refusal.'
    })
  ),
  menu: Type.Optional(
    Type.Object(
      {
        label: Type.String({ minLength: 1, maxLength: 30, description: 'What the menu calls it.' }),
        place: Type.Integer({ minimum: 0, description: 'Lower numbers come first.' })
      },
      {
        additionalProperties: false,
        examples: [{ label: 'Books', place: 1 }],
        description: 'Puts the page into the menu of all pages.'
      }
    )
  )
}

export type PageManifest = ManifestWith<typeof fields>
