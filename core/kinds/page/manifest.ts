import type { Static } from 'typebox'
import { Type } from '../../canonical/type.ts'
import type { HandlerShape, ManifestFile } from '../../manifest/kind.ts'
import { AccessWords, closed, Field, type ManifestWith } from '../../manifest/manifest.ts'
import { parseTarget, requiredVariablesOf, type Target } from '../../manifest/paths.ts'
import type { AnswerFacts } from '../../manifest/surface.ts'
import { Sentence } from '../fields.ts'

const Targets = (description: string, example: Readonly<Record<string, string>>) =>
  Type.Record(Field, Type.String({ pattern: '^(?:/|\\{\\+)', maxLength: 300 }), {
    minProperties: 1,
    examples: [example],
    description
  })

const SecondStep = Type.Object(
  {
    when: Type.Optional(
      Type.Record(Field, Type.String(), {
        minProperties: 1,
        description: 'The fields that the form must have been sent with, each with its value. Default: always.'
      })
    ),
    title: Sentence(80, 'What is asked, such as `Suspend {username}?`, with values of the path.'),
    says: Sentence(400, 'What will happen, and whether it can be undone.'),
    button: Sentence(40, 'The words of the button that does it.'),
    reason: Type.Optional(
      Type.Boolean({ description: 'Whether a reason is asked for, which the form sends in its field `reason`.' })
    )
  },
  closed
)

export type SecondStep = Static<typeof SecondStep>

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
    }),
    confirm: Type.Optional(
      Type.Array(SecondStep, {
        minItems: 1,
        maxItems: 4,
        description:
          'For what harms or cannot be undone: the first step that fits is shown before the surface is asked, with what will happen and a button that does it.'
      })
    )
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
      examples: [
        {
          note: { path: '/books/{isbn}/note', sends: '/api/v1/library/reading-note', access: 'user' },
          lost: {
            path: '/books/{isbn}/lost',
            sends: '/api/v1/library/reading-note',
            confirm: [
              {
                when: { state: 'lost' },
                title: 'Report {isbn} as lost?',
                says: 'Nobody can borrow it from now on. A librarian can undo it.',
                button: 'Report it as lost',
                reason: true
              }
            ]
          }
        }
      ],
      description:
        'The forms that the page shows, by name: where each is sent with POST. The code of a form is in the `forms` of the view, by the same name. A form has the rights of the surface that it sends to.'
    })
  ),
  indexed: Type.Optional(
    Type.Boolean({
      examples: [false],
      description:
        'Whether search engines may keep the page. Default: true. `false` is for pages about people and collectives, who may withdraw at once: the page has `X-Robots-Tag: noindex` and is in no sitemap.'
    })
  ),
  one_spelling: Type.Optional(
    Type.Boolean({
      examples: [true],
      description:
        'Whether a request under another spelling of its path, such as in capitals, is redirected (308, with its query) to the `canonical` that the view names under `sharing`. Default: false.'
    })
  ),
  menu: Type.Optional(
    Type.Object(
      {
        label: Sentence(30, 'What the menu calls it.'),
        place: Type.Integer({
          minimum: 0,
          description:
            'Lower numbers come first. A page of the framework has no entry where one of yours has its place.'
        }),
        asks: Type.Optional({
          ...Field,
          description: 'A query parameter of the page. The menu then has a search field for it, and no link.'
        })
      },
      {
        ...closed,
        examples: [
          { label: 'Books', place: 1 },
          { label: 'Find a book', place: 2, asks: 'q' }
        ],
        description: 'Puts the page into the menu of all pages, as a link or as a search field.'
      }
    )
  )
}

export type PageManifest = ManifestWith<typeof fields>

/** A form of a page, as a surface of its own: its name, and the path of its page under `back`. */
export type FormManifest = PageManifest &
  Readonly<{ method: 'POST'; name: string; sends: string; back: string; confirm?: readonly SecondStep[] }>

/** A request of a page to a surface, with the name that the view uses for it. */
export type PageRequest = Readonly<{ name: string; target: Target }>

/** The requests of a page. */
export type PageReads = Readonly<{ shows: readonly PageRequest[]; besides: readonly PageRequest[] }>

type FormAnswer = Readonly<{
  name: string
  sends: PageRequest
  back: Target
  page: PageReads
  confirm: readonly SecondStep[]
}>

export type PageAnswer = Readonly<{
  /** The id of the page, also of a form. */
  code: string
  shows: readonly PageRequest[]
  besides: readonly PageRequest[]
  /** For a form: its name, the request to its surface, and its page. For a page: undefined. */
  form: FormAnswer | undefined
  isIndexed: boolean
  /** Whether other spellings of the path are redirected to the one that the view names. */
  hasOneSpelling: boolean
  menu: PageManifest['menu']
}>

/** Returns the requests of a list of a manifest. Invalid ones are left out, because `checkTargets` reports them. */
const requestsOf = (targets: Readonly<Record<string, string>> = {}): PageRequest[] =>
  Object.entries(targets).flatMap(([name, text]) => {
    const target = parseTarget(text)
    return target === undefined ? [] : [{ name, target }]
  })

/**
 * Returns the requests that a page makes; for a form, only those that its view or the path that it is sent to needs.
 */
const readBy = (
  requests: readonly PageRequest[],
  shape: HandlerShape['shows'] = {},
  form: PageAnswer['form']
): readonly PageRequest[] => {
  if (form === undefined) return requests
  const inPath = requiredVariablesOf(form.sends.target).map(value => value.split('.')[0])
  return requests.filter(({ name }) => Object.hasOwn(shape, name) || inPath.includes(name))
}

function formOf(manifest: FormManifest): PageAnswer['form'] {
  const [sends, back] = [parseTarget(manifest.sends), parseTarget(manifest.back)]
  return sends === undefined || back === undefined
    ? undefined
    : {
        name: manifest.name,
        sends: { name: 'sends', target: sends },
        back,
        confirm: manifest.confirm ?? [],
        page: { shows: requestsOf(manifest.shows), besides: requestsOf(manifest.besides) }
      }
}

export function answerOf(
  { id, formOf: page, manifest }: ManifestFile<PageManifest | FormManifest>,
  { shows, besides }: Pick<HandlerShape, 'shows' | 'besides'> = {}
): PageAnswer {
  const form = 'sends' in manifest ? formOf(manifest) : undefined
  return {
    code: page ?? id,
    shows: readBy(requestsOf(manifest.shows), shows, form),
    besides: readBy(requestsOf(manifest.besides), besides, form),
    form,
    isIndexed: manifest.indexed !== false,
    hasOneSpelling: manifest.one_spelling === true,
    menu: manifest.menu
  }
}

export const factsOf = ({ code, shows, besides, form, isIndexed, menu }: PageAnswer): Partial<AnswerFacts> => ({
  code,
  page: {
    shows: shows.map(({ target }) => target),
    besides: besides.map(({ target }) => target),
    ...(form === undefined ? {} : { sends: form.sends.target, back: form.back }),
    isIndexed,
    ...(menu === undefined ? {} : { menu })
  }
})
