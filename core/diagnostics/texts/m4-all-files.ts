import { error, warning } from './entry.ts'

/** M4: each file alone is right, but the files do not fit together. */
export const allFilesCodes = {
  M401: error(
    'The route is declared twice',
    'Two surfaces answer the same method and path. Paths that differ only in the names of their placeholders are the same route.',
    'path: /api/v1/books/{book}  # and /api/v1/books/{isbn} elsewhere',
    'path: /api/v1/books/{isbn}'
  ),
  M402: error(
    'There is no such corpus',
    'A corpus is a folder below `corpora/` of one of the loaded roots.',
    'corpus: gap',
    'corpus: gaps'
  ),
  M403: error(
    'There is no such document',
    'A document is a file `corpora/documents/<name>.yaml` of one of the loaded roots.',
    'document: abuot',
    'document: about'
  ),
  M404: error(
    'The route can never be reached',
    'Another route, or the runtime itself, answers every request that this one could match.',
    'path: /livez',
    'path: /api/v1/health'
  ),
  M405: error(
    'There is no such freshness key',
    'Freshness keys and their seconds are declared in `manifests/service.yaml`. Adding one needs no code.',
    'freshness: daily',
    'freshness: catalog'
  ),
  M406: error(
    'There is no such license tier',
    'Tiers and their meaning are declared in `manifests/service.yaml`. Adding one needs no code.',
    'license: CC0',
    'license: CC0-1.0'
  ),
  M407: error(
    'There is no such source label',
    'Source labels and the rights behind them are declared in `manifests/service.yaml`.',
    'sources: [me]',
    'sources: [self]'
  ),
  M408: error(
    'There is no such methodology',
    '`methodology` names an entry of kind `methodology` in the corpus `concepts`.',
    'methodology: hash',
    'methodology: hashing'
  ),
  M409: error(
    'The service names a surface that does not exist',
    'Links, suggestions and the index of `manifests/service.yaml` name surfaces by id: the path of the manifest below `manifests/`, without its ending.',
    'suggestions: { manifest: manifset }',
    'suggestions: { manifest: manifest }'
  ),
  M410: error(
    'The surface cannot be a link target',
    'A link is followed with GET and has no parameters to fill in, so its target is a GET surface without placeholders.',
    'surface: guides/guide  # /api/v1/guides/{slug}',
    'surface: guides'
  ),
  M411: error(
    'A placeholder has no parameter',
    'The code behind the surface must declare a schema for each placeholder of the path, or it could not read it.',
    'path: /api/v1/books/{isbn}  # params: { id }',
    'path: /api/v1/books/{isbn}  # params: { isbn }'
  ),
  M412: error(
    'A parameter has no placeholder',
    'The code behind the surface declares a path parameter that the path does not hold, so it would never be given.',
    'path: /api/v1/books  # params: { isbn }',
    'path: /api/v1/books/{isbn}  # params: { isbn }'
  ),
  M413: error(
    'An open license covers content that is not open',
    'A public-domain dedication can only be given for content whose every source is dedicated too. Absence of a license is not permission.',
    'license: CC0-1.0\nsources: [catalogue]',
    'license: NOASSERTION\nsources: [catalogue]'
  ),
  M414: error(
    'An example names an undeclared parameter',
    'Examples are published and executed. A parameter that the surface does not declare would be ignored, or teach readers something untrue.',
    'examples: [{ title: One, query: { knd: door } }]',
    'examples: [{ title: One, query: { kind: door } }]'
  ),
  M415: error(
    'An example is not a valid request',
    'The example leaves out a required value, or gives one that the surface refuses. An example of a refusal expects its status.',
    'examples: [{ title: One, params: {} }]',
    'examples: [{ title: One, params: { id: a } }]'
  ),
  M416: error(
    'An example expects what the surface cannot answer',
    'The expected status is not one this kind of surface gives, or the JSON pointer (RFC 6901) leads to a member that the answer does not have. Pointers start at the body: `/data/…` in an envelope.',
    'expect: { shows: { /dta/id: a } }',
    'expect: { shows: { /data/id: a } }'
  ),
  M417: error(
    'The surface needs an example',
    'A surface with placeholders, a body or a required parameter cannot be tried without knowing a value that works. Give at least one.',
    'path: /api/v1/guides/{slug}',
    'path: /api/v1/guides/{slug}\nexamples: [{ title: A guide, params: { slug: start } }]'
  ),
  M418: error(
    'A filter names a field that the entries do not have',
    'A filter compares a field of the corpus schema. A misspelt field would give a list that is always empty.',
    'filters: [knd]',
    'filters: [kind]'
  ),
  M419: error(
    'The operation of a filter does not fit its field',
    '`since` compares dates, so the field has `format: date` or `date-time`; `maximum` compares numbers; `equals` compares texts, numbers, booleans and lists of them.',
    'filters: [{ name: since, field: title, operation: since }]',
    'filters: [{ name: since, field: date, operation: since }]'
  ),
  M420: error(
    'The order names a field that the entries do not have',
    'Entries are sorted by fields of the corpus schema; `-` before a name sorts from high to low.',
    'order: [-dat]',
    'order: [-date]'
  ),
  M421: error(
    'Two roots declare the same surface',
    'A surface id is unique over all loaded roots. Move or rename one of the files.',
    'manifests/about.yaml in two roots',
    'manifests/library/about.yaml'
  ),
  M422: error(
    'Two roots give a word different meanings',
    'The vocabularies of all roots are joined: a tier, freshness key or source label of the same name must be declared the same everywhere.',
    'catalog: { seconds: 60, meaning: … }',
    'shelf: { seconds: 60, meaning: … }'
  ),
  M423: error(
    'No root says which service this is',
    'One of the loaded roots needs `manifests/service.yaml`, with the identity and the vocabulary of the service.',
    'manifests/ without service.yaml',
    'manifests/service.yaml'
  ),
  M424: error(
    'Content of the same name is there twice',
    'Names of corpora, documents and handlers are unique over all loaded roots. Two files of one root can give one handler too: `loans.ts` of `books/`, and the export `loans` of `books.ts`.',
    'corpora/guides in two roots',
    'corpora/library-guides'
  ),
  M425: error(
    'The shown fields do not fit the entries',
    'A collection that shows some `fields` of its entries names properties of the corpus schema, and the key is one of them, so that a reader can ask for the whole entry.',
    'fields: [tilte]',
    'fields: [id, title]'
  ),
  M426: error(
    'The successor is no surface',
    '`successor` is the id of the surface to use instead: the path of its manifest below `manifests/`, without the ending.',
    'successor: boks',
    'successor: books'
  ),
  M427: error(
    'There is no such access kind or scope',
    'Who may call a surface is one of the access kinds of the framework, or one that `manifests/service.yaml` declares under `access`. Its `scope` is declared under `scopes`, and is for keys of the access kind `agent`.',
    'access: everyone',
    'access: public'
  ),
  M428: error(
    'A redirect, or a link of the footer, leads nowhere',
    'The `location` of a redirect on the service itself, and a path under `theme.footer`, is the path of a surface, with placeholders of the redirect where the surface has some. A URL of another service is not looked at.',
    'location: /api/v1/boks',
    'location: /api/v1/books'
  ),
  M430: error(
    'A page asks what nothing answers',
    'A request under `shows` or `besides` leads to a surface of the service that answers GET with JSON, and the `sends` of a form to one that answers POST with it.',
    'shows: { books: /api/v1/boks }',
    'shows: { books: /api/v1/books }'
  ),
  M431: error(
    'An endpoint for agents offers what is not there',
    '`tools` names surfaces by their ids: the path of the manifest below `manifests/`, without the ending. Agents may ask each of them, and it is no page. `resources` names the paths of surfaces that answer GET.',
    'tools: { find_a_book: library/serch }',
    'tools: { find_a_book: library/search }'
  ),
  M432: error(
    'The limit of a class of callers cannot be enforced',
    'Requests are refused by who asks: of callers with a credential, by the service `callers` of a root; of others, where they write, by `limit` and `window_seconds`, for each client address. A class with `enforced: true` names an access kind, a credential or `person`. For an access kind without a credential `requests_per_minute` is what the two say, or null.',
    'limit: 60, window_seconds: 60, classes: [{ caller: public, requests_per_minute: 5, enforced: true, … }]',
    'limit: 5, window_seconds: 60, classes: [{ caller: public, requests_per_minute: 5, enforced: true, … }]'
  ),
  M433: error(
    'A form lets in more than the surface that it sends to',
    'A form has the rights of the surface that it sends to. `access` of the form may leave some of them out, and add none.',
    'forms: { note: { sends: /api/v1/notes, access: public } }  # which is for `user`',
    'forms: { note: { sends: /api/v1/notes } }'
  ),
  M434: error(
    'There is no such profile of rights',
    '`rights` names a profile that the `service.yaml` of the same root declares under `rights:`.',
    'rights: opendata',
    'rights: open-data'
  ),
  M435: error(
    'The kind does not read where the entries are',
    'The entries of a corpus are in files or, if `corpus.yaml` names a `table`, rows of the database. `rows` and `row` are the kinds for rows; they find words in the column that `search` in `corpus.yaml` names.',
    'kind: collection\ncorpus: places  # with `table: places`',
    'kind: rows\ncorpus: places'
  ),
  M436: error(
    'A recorded name is gone',
    'Clients and agents call operations and tools by the names of `manifests/names.json`. A name stays with its path, also where its file has another name. It may go after its surface was deprecated, and is never used for anything else.',
    '"get_books": { … }  # and no surface answers GET /api/v1/books',
    '"get_books": { …, "deprecated": "2026-11-28" }'
  ),
  M437: warning(
    'An operation has no recorded name',
    'Without a record, a file that comes later can change the name of an operation. `pantry test --record` adds what is new to `manifests/names.json`.',
    '{}  # in manifests/names.json, beside manifests/books.yaml',
    '{ "get_books": { "surface": "books", "method": "GET", "path": "/api/v1/books", "tool": true } }'
  ),
  M438: error(
    'The file of names cannot be read',
    '`manifests/names.json` is JSON: each name with its `surface`, `method` and `path`, and where they hold `tool` and `deprecated`. `pantry test --record` writes it.',
    '{ "get_books": "books" }',
    '{ "get_books": { "surface": "books", "method": "GET", "path": "/api/v1/books", "tool": true } }'
  ),
  M439: error(
    'A colour of the theme cannot be read',
    'Links have the accent on the grounds of a page, and buttons have text on the accent. Each needs a contrast of 4.5 (WCAG 2.2, level AA), on light pages as on dark ones.',
    "accent: { light: '#e0a030', dark: '#f2b5a7' }",
    "accent: { light: '#8a5a00', dark: '#f2b5a7' }"
  ),
  M440: error(
    'A file of the theme cannot be used',
    'The logo, the icon and the fonts of a theme are files of `surfaces/assets`, of which each root may have one. A picture holds no script and no event.',
    'logo: logo.svg  # without surfaces/assets/logo.svg',
    'logo: logo.svg  # and surfaces/assets/logo.svg'
  ),
  M441: error(
    'The service does not have the language',
    '`languages` in `service.yaml` names languages by tags of BCP 47 in their canonical form, the default first: `en`, `de-CH`, `zh-Hant`. A file of translations has the tag of one of them: `translations/de.yaml`.',
    'languages: [en, german]',
    'languages: [en, de]'
  ),
  M442: warning(
    'A text is missing in a language',
    'People read the text in the default language instead. `translations/<language>.yaml` has each text of manifests, of `texts` in code and of the framework, with the same in that language. `pantry translations <language>` adds what is missing.',
    'Books: Bücher  # and nothing for `All novels.`',
    'Books: Bücher\nAll novels.: Alle Romane.'
  ),
  M443: warning(
    'A translation is of no text',
    'A translation is found by the text that it translates, letter for letter. Where that text has changed, its translation is to be looked at again.',
    'All noveles.: Alle Romane.',
    'All novels.: Alle Romane.'
  ),
  M444: error(
    'A translation has other placeholders than its text',
    'Each `{name}` in a text stands for a value. A translation has the same ones, in any order.',
    'There is no room on {day}.: Kein Zimmer ist frei.',
    'There is no room on {day}.: Am {day} ist kein Zimmer frei.'
  ),
  M445: warning(
    'A key in a path holds a slash',
    'In a segment of a path `/` is written `%2F`. Many proxies refuse that, or make a `/` of it, so that the entry is not found behind them.',
    '- id: Europe/Zurich  # served at /api/v1/zones/Europe%2FZurich',
    '- id: Europe-Zurich\n  zone: Europe/Zurich'
  ),
  M446: warning(
    'A text is still that of the template',
    '`pantry init`, `new` and `table` write some texts that only the author can say: what the service holds, who answers, what a license allows, what a surface answers, where rows come from. Documents publish them as they are.',
    'summary: What this service holds, in one sentence.',
    'summary: Every tree of the city, with its kind and height.'
  ),
  M429: warning(
    'A root that only adds words says something else of the service',
    'One root says which service this is, with its `id`, links, index and limits. The `service.yaml` of another root adds words: tiers, freshness keys, sources, error codes, formats and access kinds. What else it says is not used.',
    'links: [ … ]  # without `id`',
    'tiers: { … }'
  )
}
