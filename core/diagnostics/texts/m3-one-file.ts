import { error } from './entry.ts'

/** M3: one file has the right shape, but its values are wrong, or contradict each other or its code. */
export const oneFileCodes = {
  M301: error(
    'The path is not a valid route',
    'A path is a list of segments. A segment is literal text, or one placeholder in braces that fills the whole segment; dot segments, empty segments, queries, percent escapes and a placeholder used twice cannot be matched (RFC 3986, section 3.3).',
    'path: /api/v1/books/{isbn}.json?x=1',
    'path: /api/v1/books/{isbn}'
  ),
  M302: error(
    'The key of an entry surface has no placeholder',
    '`key` names the placeholder of the path that carries the key of the entry.',
    'path: /api/v1/guides/{slug}\nkey: id',
    'path: /api/v1/guides/{slug}\nkey: slug'
  ),
  M303: error(
    'A placeholder is read by nothing',
    'This kind of surface gives the same answer whatever the placeholder is filled with, so the path promises more than the surface does.',
    'kind: document\npath: /api/v1/about/{topic}',
    'kind: document\npath: /api/v1/about'
  ),
  M304: error(
    'The name of a filter is taken',
    'A filter is a query parameter: each has a name of its own, and `all`, `format` and `limit` already mean something.',
    'filters: [kind, format]',
    'filters: [kind]'
  ),
  M305: error(
    'The default limit is above the maximum',
    'A request without `limit` must itself be allowed.',
    'limit: { default: 200, maximum: 100 }',
    'limit: { default: 20, maximum: 100 }'
  ),
  M306: error(
    'An option does not fit the pick of a day',
    'With `pick: daily` the answer is one of the entries that the filters select, in the turn of the corpus and the same for every caller, so `limit` and `order` would do nothing. `all` asks for the other entries as well and needs a pick.',
    'pick: daily\nlimit: { default: 20, maximum: 100 }',
    'pick: daily'
  ),
  M307: error(
    'The error of a fixed status is incomplete',
    'A status of 400 and above is answered with an error: it needs a `message`, and a `code` where several codes share the status. Below 400 there is no error to describe.',
    'status: 503',
    'status: 503\nmessage: Publication is paused.'
  ),
  M308: error(
    'The error code belongs to another status',
    'Each error code has one status (RFC 9110, section 15), so that a program can rely on either of them.',
    'status: 503\ncode: NOT_FOUND',
    'status: 503\ncode: SOURCE_UNAVAILABLE'
  ),
  M309: error(
    'An NDJSON answer is not a list',
    'The format `ndjson` writes one line for each item of a fixed answer, so `answer` is a list.',
    'formats: [ndjson]\nanswer: { count: 0 }',
    'formats: [ndjson]\nanswer: [{ count: 0 }]'
  ),
  M310: error(
    '`retry_after` does not fit the status',
    'Retry-After says when to come back after 429 or 503 (RFC 9110, section 10.2.3; RFC 6585, section 4). With another status nothing has to be retried.',
    'status: 402\nretry_after: 60',
    'status: 503\nretry_after: 60'
  ),
  M311: error(
    'The kind does not offer this format',
    'A format needs something to render: Atom needs a collection of dated entries, an image needs a handler. The hint shows what the kind offers.',
    'kind: entry\nformats: [json, atom]',
    'kind: collection\nformats: [json, atom]'
  ),
  M312: error(
    'The file name does not say the method',
    'A path may have one file per method. Files for another method than GET end in that method, so that the folder reads like the list of routes: `identify.yaml`, `identify.post.yaml`.',
    'identify.yaml with `method: POST`',
    'identify.post.yaml with `method: POST`'
  ),
  M313: error(
    'The hash covers an unknown field',
    '`hash.over` lists the members of the body that the content hash covers; each must be a property of the body schema.',
    'over: [note]',
    'over: [text]'
  ),
  M314: error(
    'An unknown or non-text field is normalised',
    'A normalisation step works on text: each field under `normalise` is a string property of the body schema.',
    'normalise: { count: [trim] }',
    'normalise: { text: [trim] }'
  ),
  M315: error(
    'The body schema is not a valid JSON Schema',
    'The schema, and that under `advice`, follows JSON Schema 2020-12 and describes an object; unknown keywords are refused, because a misspelt rule would check nothing.',
    'schema: { type: object, propertys: {} }',
    'schema: { type: object, properties: {} }'
  ),
  M316: error(
    'A pattern can backtrack without bound',
    'Some regular expressions take time that grows exponentially or polynomially with the length of a hostile text. Write the pattern so that each character can be matched in one way only, and anchor it with `^` and `$`.',
    "pattern: '^(a+)+$'",
    "pattern: '^a+$'"
  ),
  M317: error(
    'The contract does not fit the kind',
    'A math-mirror document carries hashes that only a handler can compute. The other kinds answer in the envelope, or bare.',
    'kind: document\ncontract: math-mirror',
    'kind: document\ncontract: envelope'
  ),
  M318: error(
    'An example uses a method the surface does not have',
    'An example is a request that works as written.',
    'method: GET\nexamples: [{ title: Ask, method: POST }]',
    'method: GET\nexamples: [{ title: Ask }]'
  ),
  M319: error(
    'A fixed member has a name that the answer uses',
    'The members under `with` come beside those that the kind writes itself, such as `scope`, `returned` and the list.',
    'with: { scope: all }',
    'with: { note: All entries. }'
  ),
  M320: error(
    'An echoed parameter has no place in the answer',
    'Each name under `echo` is a parameter of the request and becomes a member of the answer, so it needs a name that is free and a document that is a mapping.',
    'echo: { format: { description: Its form., max_length: 20 } }',
    'echo: { from: { description: Who says it., max_length: 80 } }'
  ),
  M321: error(
    'An alias has other placeholders than the path',
    'An alias gives the same answer at another path, so it has the same placeholders, in any order.',
    'path: /api/v1/books/{isbn}\naliases: [/api/v1/book]',
    "path: /api/v1/books/{isbn}\naliases: ['/api/v1/book/{isbn}']"
  ),
  M322: error(
    'The deprecation is not complete, or contradicts itself',
    'A surface that should no longer be used says since when and why under `deprecation`, and ends only after that day. `stability` is then `deprecated`, which may be left out.',
    'stability: deprecated',
    'deprecation: { date: 2026-11-20, sunset: 2027-11-20, successor: books, reason: Books have one path. }'
  ),
  M323: error(
    'A page has no size',
    '`page` divides the entries into pages of `limit` entries.',
    'page: cursor',
    'page: cursor\nlimit: { default: 20, maximum: 100 }'
  ),
  M324: error(
    'A redirect and its location do not go together',
    'A status that leads elsewhere (301, 302, 303, 307, 308) has a `location`, and no other status has one. Its placeholders are those of the path.',
    'status: 308',
    'status: 308\nlocation: /api/v1/books'
  ),
  M326: error(
    'A page asks what cannot be asked',
    'Each request under `shows`, `besides` and the `sends` of a form is a URI template (RFC 6570) of the service itself: a path with values of the path of the page or form, and the query that is passed on.',
    "shows: { book: '/api/v1/books/{id}' }",
    "shows: { book: '/api/v1/books/{isbn}{?lang}' }"
  ),
  M327: error(
    'Manifest and view of a page name different things',
    'What the view reads of other surfaces is declared in its `shows` and `besides`; the manifest says for each of the same names what is asked. The view of a form reads of that. `asks` of the menu names a query parameter of the view.',
    'shows: { boks: /api/v1/books }',
    'shows: { books: /api/v1/books }'
  ),
  M328: error(
    'Manifest and code of a page have different forms',
    'Each form under `forms` of the manifest has its code under the same name in the `forms` of the view, and the other way round.',
    'forms: { nota: { sends: /api/v1/library/reading-note } }',
    'forms: { note: { sends: /api/v1/library/reading-note } }'
  ),
  M329: error(
    'A prompt names an argument that it has not',
    'The text of a prompt names each of its arguments as `{name}`, and every name in it is an argument, so that a person fills in what is used, and all of it.',
    "prompts: { find_book: { title: Find, description: Finds a book., arguments: { title: Its title. }, text: 'Find {titel}.' } }",
    "prompts: { find_book: { title: Find, description: Finds a book., arguments: { title: Its title. }, text: 'Find {title}.' } }"
  ),
  M330: error(
    'Rights are said twice',
    'A manifest names a profile of rights, or says `access`, `carries_pii`, `requires_consent`, `license` and `sources` itself.',
    'rights: open-data\naccess: public',
    'rights: open-data'
  ),
  M331: error(
    'No format can be sent while it is read',
    'With `stream`, all entries that a request selects are sent in one answer while they are read. `csv` and `ndjson` can be written so; `formats` needs one of them.',
    'stream: { maximum: 100000 }',
    'formats: [json, csv]\nstream: { maximum: 100000 }'
  ),
  M332: error(
    'A second step names what its form does not send',
    'The `title` and `says` of a second step name values of the path or fields of the form, or `{about}`, which its page writes into the form as a hidden field. The fields under `when`, and with `reason: true` the field `reason`, are fields of the form.',
    "confirm: [{ title: 'Lend {ibsn}?', says: The book leaves., button: Lend it }]",
    "confirm: [{ title: 'Lend {isbn}?', says: The book leaves., button: Lend it }]"
  ),
  M333: error(
    'A second step would lose what its form sends',
    'A second step carries what was sent in hidden fields, which cannot hold files, and has the fields `confirmed` and `about` of its own. A form with `files` asks in the form itself, such as with a box that is `required`.',
    'forms: { scans: { sends: /api/v1/scans, confirm: [{ title: Send it?, says: Everyone can see it., button: Send it }] } }',
    'forms: { scans: { sends: /api/v1/scans } }'
  ),
  M325: error(
    'The service declares a word of the framework',
    'Error codes, formats and access kinds of the framework mean the same in every service. `errors:`, `formats:` and `access:` declare others; `/api/v1/diagnostic` lists all codes.',
    'errors: { NOT_FOUND: { status: 410, meaning: The book was withdrawn. } }',
    'errors: { WITHDRAWN: { status: 410, meaning: The book was withdrawn. } }'
  )
}
