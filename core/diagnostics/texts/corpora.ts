import { error, warning } from './entry.ts'

/**
 * Codes of corpora. C1: the files of a corpus. C2: the content of one corpus. C3: references to and between corpora.
 */
export const corpusCodes = {
  C101: error(
    'A corpus has no declaration',
    'Each folder below `corpora/` holds a `corpus.yaml` with its title, key, order, license and source.',
    'corpora/guides/entries.yaml alone',
    'corpora/guides/corpus.yaml, schema.yaml, entries.yaml'
  ),
  C102: error(
    'A corpus has no schema',
    'Each corpus holds a `schema.yaml`: the JSON Schema of one entry. It checks the entries, helps the editor and is published.',
    'corpora/guides/corpus.yaml alone',
    'corpora/guides/schema.yaml'
  ),
  C103: error(
    'A corpus has no entries',
    'Entries have one file each, `entries/<key>.yaml` or `entries/<key>.md`, or together in `entries.yaml`, `entries.csv`, `entries.json` or `entries.jsonl`. An empty list is allowed, and must be written. Rows of the database are entries too, where `corpus.yaml` names their `table`.',
    'corpora/guides without entries',
    'entries.yaml: []'
  ),
  C104: error(
    'A corpus has its entries in two places',
    'A corpus has the folder `entries/`, one file of entries, or a table, so that nobody has to look in two places.',
    'entries/ and entries.yaml',
    'entries/'
  ),
  C105: error(
    'A file of the corpora would not be read',
    'The file is not one that Pantry looks for, so its content would be ignored without a word.',
    'corpora/guides/entires.yaml',
    'corpora/guides/entries.yaml'
  ),
  C201: error(
    'An entry does not match its schema',
    'The value breaks the JSON Schema in `schema.yaml` (or in `<name>.schema.yaml` for a document).',
    'kind: dor',
    'kind: door'
  ),
  C202: error(
    'Two entries have the same key',
    'The key names an entry in URLs, so it is unique. Both places are named.',
    '- id: a\n- id: a',
    '- id: a\n- id: b'
  ),
  C203: error(
    'The key differs from the file name',
    'An entry file is named as its key, so that the folder is its own index.',
    'entries/a.yaml with `id: b`',
    'entries/a.yaml with `id: a`'
  ),
  C204: error(
    'The schema is not a valid JSON Schema',
    'The schema follows JSON Schema 2020-12 and describes an object; unknown keywords are refused, because a misspelt rule would check nothing.',
    'type: objct',
    'type: object'
  ),
  C205: error(
    'A pattern of the schema can backtrack without bound',
    'Entry fields become query parameters and their patterns are published, so each must be checked in linear time. Write the pattern so that each character can be matched in one way only.',
    "pattern: '^(a|a)*$'",
    "pattern: '^a*$'"
  ),
  C206: error(
    'The key is not a required text of the schema',
    '`key` names the field that identifies an entry: a property of type string that the schema requires. The key of the rows of a table may be an integer.',
    'key: id  # no `id` in schema.yaml',
    'key: id  # properties.id is a string and required'
  ),
  C207: error(
    'The declaration names a field that the entries do not have',
    'Each field in `order`, `roles`, `keep` and `hash` is a property of `schema.yaml`.',
    'order: [-dat]',
    'order: [-date]'
  ),
  C208: error(
    'An entry cannot work as it is written',
    'A rule of this corpus that no schema can say: a name that is declared nowhere, a pattern that is none or that can backtrack without bound.',
    'lookup: sest',
    'lookup: sets'
  ),
  C209: error(
    'A computed field is given a value',
    '`hash` in `corpus.yaml` names a field that is computed from other fields of an entry. An entry that gives it, or a hash that covers itself, would have two truths.',
    'revision: 9d80d47c…',
    '# revision is computed'
  ),
  C210: error(
    'A field cannot come from where it is written',
    'The text of a Markdown entry is the field that `roles.text` in `corpus.yaml` names, so that key is needed, and no field of the front matter gives it again. A cell of a table holds a list only if `separator` in `corpus.yaml` says what is between its items, and never a mapping.',
    'roles: { title: title }  # entries/dune.md',
    'roles: { title: title, text: body }'
  ),
  C211: error(
    'A file has more mistakes than are listed',
    'Fifty mistakes of one file are listed and the others counted. A text that cannot be read is not read further after the fiftieth.',
    'entries.csv with 4000 rows of the wrong type',
    'entries.csv'
  ),
  C212: error(
    'A language has no valid tag',
    'Languages are named by tags of BCP 47 in their canonical form: `en`, `de-CH`, `zh-Hant`. Clients ask for them in `Accept-Language`.',
    'languages: [english, de_CH]',
    'languages: [en, de-CH]'
  ),
  C213: error(
    'A file is in a language that the corpus does not declare',
    'The word before the ending of a file of entries is a language, and `languages` in `corpus.yaml` lists all of them. The default language has no word in its files.',
    'entries.fr.yaml  # languages: [en, de]',
    'entries.fr.yaml  # languages: [en, de, fr]'
  ),
  C214: error(
    'A translation has no original',
    'Another language translates entries of the default language; it adds none.',
    '- id: dune  # entries.de.yaml, but entries.yaml has no dune',
    '- id: dune  # in both files'
  ),
  C215: warning(
    'A language has no file',
    'Where no entry is translated, every answer in the language falls back to the default one.',
    'languages: [en, de]  # no entries.de.yaml',
    'languages: [en]'
  ),
  C216: error(
    'An option does not go with where the entries are',
    '`search` is for rows of a `table`. `hash`, `languages` and `separator` are for files of entries.',
    'table: places\nlanguages: [en, de]',
    'table: places'
  ),
  C301: error(
    'A reference leads to no entry',
    'A field with `x-corpus` in its schema holds the key of an entry of that corpus.',
    'next: star',
    'next: start'
  ),
  C302: warning(
    'No surface uses the corpus',
    'Content that nothing serves is forgotten content. Code that reads a corpus declares it: a handler under `corpora`, services in `surfaces/corpora.ts`.',
    'corpora/guides without a surface',
    'kind: collection\ncorpus: guides'
  ),
  C303: error(
    '`x-corpus` names no corpus',
    'A reference field names the corpus whose keys it holds.',
    'x-corpus: guide',
    'x-corpus: guides'
  ),
  C304: warning(
    'No surface uses the document',
    'Content that nothing serves is forgotten content. Serve the document, or delete it.',
    'corpora/documents/about.yaml without a surface',
    'kind: document\ndocument: about'
  ),
  C305: warning(
    'A reference to rows leads nowhere',
    'A column with `x-corpus` becomes a link to the surface that shows one row by its key.',
    'stop_id: { type: string, x-corpus: stops }  # no surface shows one stop',
    'kind: row\ncorpus: stops\nkey: stop_id'
  )
}
