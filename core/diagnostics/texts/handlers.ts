import { error, warning } from './entry.ts'

/** H1: the code behind surfaces, and the corpora that code names. */
export const handlerCodes = {
  H101: error(
    'The surface has no handler',
    'A surface that code answers has `surfaces/handlers/<id>.ts`, whose default export is `defineHandler({ … })`. Named exports are further handlers, with an id that follows from the file and the name: in `books.ts`, `loans` is `books/loans`, `post` is `books.post`, and `lateLoansPost` is `books/late-loans.post`.',
    'manifests/books/book.yaml alone',
    'manifests/books/book.yaml and surfaces/handlers/books/book.ts, or surfaces/handlers/books.ts with `export const book = defineHandler({ … })`'
  ),
  H102: error(
    'No manifest uses the handler',
    'A handler is reached through a manifest with its id. That of a default export is the path of the file, that of a named one ends with the name of the export: `loansPost` of `books.ts` is `books/loans.post`. Add the manifest, rename the export, or delete the handler.',
    'surfaces/handlers/books/old.ts alone',
    'surfaces/handlers/books/old.ts and manifests/books/old.yaml'
  ),
  H103: error(
    'A schema of the handler is not valid',
    'The schemas of a handler are JSON Schema 2020-12; `params` and `query` describe objects.',
    'query: Type.String()',
    'query: Type.Object({ q: Type.String() })'
  ),
  H104: error(
    'A pattern of the handler can backtrack without bound',
    'Parameters come from strangers: each pattern must be checked in linear time. Write it so that each character can be matched in one way only, and anchor it.',
    "Type.String({ pattern: '^(a+)+$' })",
    "Type.String({ pattern: '^a+$' })"
  ),
  H105: error(
    'An export of the file is not a handler',
    'Every export of a handler file is the value of `defineHandler({ …, reply, handle })`, `defineDerived({ …, reply, derive })` or `definePage({ …, view })`. The name of a named one has letters and digits. What several files need is in a file outside `surfaces/handlers/`.',
    'export default { reply: Loan }',
    'export default defineHandler({ reply: Loan, handle: … })'
  ),
  H106: error(
    'A file with handlers, a job, or a migration, cannot be imported',
    'Importing the file failed, or it is not compiled yet: run `pantry build`, or the script `build` of the project, after an edit. None has a side effect at import: no connection, no file, no timer. A migration exports `up` and `down`.',
    'const db = await connect()\nexport default defineHandler({ … })',
    'export default defineHandler({ async handle (request, { db }) { … } })'
  ),
  H107: error(
    'Code reads a corpus that there is not',
    'A handler declares the corpora that it reads under `corpora`, services do in `surfaces/corpora.ts`: for each, by its name, the schema of what is read of an entry. The rows of a table are read from the database.',
    'corpora: { bokos: Book }',
    'corpora: { books: Book }'
  ),
  H108: error(
    'Code reads another form than the entries have',
    'The entries of a declared corpus match the schema that the code declares. It names what is read and nothing else; the schema of the corpus says the rest.',
    'corpora: { books: Type.Object({ pages: Type.String() }) }',
    'corpora: { books: Type.Object({ pages: Type.Integer() }) }'
  ),
  H109: error(
    'The code has another form than its kind asks for',
    'Code either answers each request, given the services (`defineHandler` with `handle`), or it answers once, from what is loaded (`defineDerived` with `derive`). The kind of the surface says which.',
    'export default defineDerived({ reply, derive }) for a surface whose code has `handle`',
    'export default defineHandler({ reply, handle })'
  ),
  H110: error(
    'A file of the code cannot be sent',
    'Files come beside the fields of a `body` (`multipart/form-data`), each under a name that no field has, with its media types (in lower case, without parameters) and its most bytes.',
    "body: { schema: Type.Object({ list: Type.String() }), limitBytes: 1000 }, files: { list: { types: ['text/*'], limitBytes: 65536 } }",
    "body: { schema: Type.Object({ list: Type.String() }), limitBytes: 1000 }, files: { file: { types: ['text/csv'], limitBytes: 65536 } }"
  ),
  H111: error(
    'A file of jobs has no job',
    '`surfaces/jobs/<name>.ts` has the default export `defineJob({ every, deadline, run })`. `every` is an interval (`15 minutes`, of seconds, minutes or hours, a day at most) or a time of each day in UTC (`day at 03:30`); `deadline` says after how many seconds a run is over. What several files need is in a file outside `surfaces/jobs/`.',
    "export default defineJob({ every: '*/15 * * * *', run })",
    "export default defineJob({ every: '15 minutes', deadline: 60, run })"
  ),
  H112: error(
    'What is for writing is declared for what only reads',
    '`idempotency` answers a request that writes once for each `Idempotency-Key`, and `precondition` lets it say how the thing is that it changes. GET changes nothing (RFC 9110, section 9.2.1), so it needs neither.',
    "method: GET, and in the code `idempotency: { key: 'optional' }`",
    "method: POST, and in the code `idempotency: { key: 'optional' }`"
  ),
  H113: error(
    'The types of webhooks are not declared as such',
    '`surfaces/webhooks.ts` has a default export with the schema of the data, an object, for each type of a message. A type is words of lowercase letters, digits and underscores with full stops between them.',
    "export default { 'Loan Late': 'days' }",
    "export default { 'loan.late': Type.Object({ days: Type.Integer() }) }"
  ),
  H114: warning(
    'A handler file exports what is not a handler',
    'Every export of a handler file is a handler. Something else beside the default export is not read, and is an error from the next minor version on: what several files need is in a file outside `surfaces/handlers/`.',
    'export const mostLoans = 6\nexport default defineHandler({ … })',
    "import { mostLoans } from '../loans.ts'\nexport default defineHandler({ … })"
  ),
  H115: warning(
    'A source has changed since the build',
    'What was built runs until it is built again. `pantry build` records of which sources it was made; one that differs now has no effect yet. Build again, or remove `dist/`.',
    'an edit of surfaces/services.ts, then `pantry serve`',
    'an edit of surfaces/services.ts, then `pantry build` and `pantry serve`'
  ),
  H116: warning(
    'A migration in SQL does not run',
    'A migration is TypeScript or JavaScript that exports `up` and `down`. Write SQL in its code, or in a file of the same name that the code reads.',
    'migrations/0002_birds.sql',
    'migrations/0002_birds.ts'
  )
}

/**
 * X1, X2: examples and claims. X101 and X204 appear only when they are tried (`pantry validate --examples`, `pantry
 * test`).
 */
export const runCodes = {
  X101: error(
    'The example is not answered as it says',
    'Examples are published, so each is run: the answer has the status of `expect.status`, the values of `expect.shows` at their JSON pointers, and the published shape. Correct the example, or what answers.',
    'shows: { /data/title: A bok }',
    'shows: { /data/title: A book }'
  ),
  X201: error(
    'A file of claims is about no text',
    'Claims are about the text at the same place: `claims/corpora/<corpus>/<key>.yaml` about an entry, `claims/corpora/documents/<name>.yaml` about a document, `claims/manifests/<id>.yaml` about a surface, `claims/manifests/service.yaml` about the service.',
    'claims/guides/first-request.yaml',
    'claims/corpora/guides/first-request.yaml'
  ),
  X202: error(
    'The text does not say what is claimed',
    '`says` is a part of the text, letter for letter, so that a claim goes when its sentence does. `runs` is the JSON pointer of a command in it.',
    '- { says: Reading is free, path: /books }',
    '- { says: Reading needs no account, path: /books }'
  ),
  X203: error(
    'A claim asks nothing that is there',
    'A claim asks a path of the service, as nobody or as an access kind of the service, and names values that earlier claims of its file keep.',
    '- { says: Reading needs no account, path: /bookz }',
    '- { says: Reading needs no account, path: /books }'
  ),
  X204: error(
    'A claim is not so',
    'The answer has the status of `status` (200 if it is left out), the values of `shows`, as many as `counts` says, and none of `lacks`, at their JSON pointers. Correct the sentence, or what answers.',
    '- { says: There are two books, path: /books, shows: { /data/returned: 3 } }',
    '- { says: There are three books, path: /books, shows: { /data/returned: 3 } }'
  ),
  X205: error(
    'Nothing makes a part of the claim false',
    'A claim is worth something because it fails when its sentence is no longer so. This part of it holds whatever is declared, set or stored.',
    '- { says: Nobody sees who bids, path: /bids, shows: { /buyer: null }, lacks: [/buyer/name] }',
    '- { says: Nobody sees who bids, path: /bids, shows: { /buyer: null } }'
  )
}
