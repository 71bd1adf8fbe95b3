import { Type } from '../../canonical/type.ts'
import { AccessWords, closed, Field, type ManifestWith } from '../../manifest/manifest.ts'

const Targets = (description: string, example: Readonly<Record<string, string>>) =>
  Type.Record(Field, Type.String({ pattern: '^(?:/|\\{\\+)', maxLength: 300 }), {
    minProperties: 1,
    examples: [example],
    description
  })

const Form = Type.Object(
  {
    path: Type.Optional(
      Type.String({ pattern: '^/', maxLength: 300, description: 'The path of the form. Default: that of the page.' })
    ),
    sends: Type.String({
      pattern: '^(?:/|\\{\\+)',
      maxLength: 300,
      description:
        'The surface that is asked with POST, as a URI template of the values of the path. It may name what is shown. The code of the form makes the JSON body of it, and is given the answer, also a refusal.'
    }),
    access: Type.Optional({
      ...AccessWords,
      description: 'Who may send the form, where that is fewer than the surface lets in.'
    })
  },
  closed
)

export const fields = {
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
  forms: Type.Optional(
    Type.Record(Field, Form, {
      minProperties: 1,
      examples: [{ note: { path: '/books/{isbn}/note', sends: '/api/v1/library/reading-note', access: 'user' } }],
      description:
        'The forms that the page shows, by name: where each is sent with POST. The code of a form is in the `forms` of the view, by the same name. A form has the rights of the surface that it sends to.'
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

/** A form of a page, as a surface of its own: its name, and the path of its page under `back`. */
export type FormManifest = PageManifest & Readonly<{ method: 'POST'; name: string; sends: string; back: string }>
