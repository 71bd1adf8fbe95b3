import { error } from './entry.ts'

/** M1: a file cannot be read, has a wrong name, or its text is not valid (YAML, JSON, CSV or Markdown). */
export const textCodes = {
  M101: error(
    'The text is not valid YAML',
    'The file breaks the grammar of YAML 1.2 at the marked place, so nothing else in it can be checked. The usual causes are an unclosed quote or bracket, wrong indentation, and a `: ` inside a text without quotes.',
    'summary: Opening hours: none',
    'summary: "Opening hours: none"'
  ),
  M102: error(
    'A key is given twice',
    'A mapping holds every key once. Many readers silently keep the last one; Pantry refuses both, because one of them is a mistake.',
    'access: public\naccess: user',
    'access: public'
  ),
  M103: error(
    'A tab is used for indentation',
    'YAML does not allow tabs as indentation. Set the editor to insert spaces in YAML files.',
    'limit:\n\tdefault: 20',
    'limit:\n  default: 20'
  ),
  M104: error(
    'Anchors and aliases are not allowed',
    'An alias lets a small file stand for a huge value and makes a file depend on the order of its parts. Every file says what it means in full.',
    'a: &rights { license: CC0-1.0 }\nb: *rights',
    'a: { license: CC0-1.0 }\nb: { license: CC0-1.0 }'
  ),
  M105: error(
    'Tags are not allowed',
    'A tag such as `!!binary` or `!env` changes what a value means. Manifests and corpora hold plain JSON values only.',
    'secret: !env KEY',
    'summary: A plain value.'
  ),
  M106: error(
    'A file holds one document',
    'Only the first document of a file would be read. Put each surface, entry or corpus declaration in its own file.',
    'kind: document\n---\nkind: entry',
    'kind: document'
  ),
  M107: error(
    'A number cannot be kept exactly',
    'JSON numbers are read as IEEE 754 doubles (RFC 8259, section 6). Infinity, NaN, integers beyond 9007199254740991 and integers with a leading zero would silently become something else.',
    'number: 0123',
    'number: "0123"'
  ),
  M108: error(
    'A character is not allowed',
    'Control characters, NUL and half surrogate pairs cannot be sent as text: other programs refuse or change them.',
    'title: "\\uD800"',
    'title: "\\uD83D\\uDE00"'
  ),
  M109: error(
    'The file is too large',
    'A file may have 262144 bytes. Larger content belongs in several entry files, or in a database behind a handler.',
    'entries.yaml with 400 kB',
    'entries/a.yaml, entries/b.yaml, …'
  ),
  M110: error(
    'Values are nested too deeply',
    'Values may be nested 64 levels deep. Deeper structures break readers that recurse.',
    'a: [[[[[[ … ]]]]]]',
    'a: [1, 2, 3]'
  ),
  M111: error(
    'The file is not UTF-8',
    'Files are UTF-8 text. The marked byte does not belong to a UTF-8 sequence; the file was probably saved in another encoding.',
    'title: caf\\xE9',
    'title: café'
  ),
  M112: error(
    'The file starts with a byte order mark',
    'Files are UTF-8 without a byte order mark. Save the file again as plain UTF-8.',
    '\\uFEFFkind: document',
    'kind: document'
  ),
  M113: error(
    'The file is empty',
    'A file of this folder declares something. Delete the file, or write its fields.',
    '# nothing yet',
    'kind: document\npath: /api/v1/about'
  ),
  M114: error(
    'The file cannot be read',
    'The operating system refused to open or read the file. Check its permissions, and that a link points to a file that exists.',
    'a.yaml -> missing.yaml',
    'a.yaml'
  ),
  M115: error(
    'A link leaves the root folder',
    'A symbolic link may only point to a file inside the same root, so that a root means the same on every machine.',
    'a.yaml -> /etc/hosts',
    'a.yaml -> ../shared/a.yaml'
  ),
  M116: error(
    'A key is not plain text',
    'Keys are text. A list, a mapping, a number or `true` as a key would be turned into text in a way that is easy to get wrong.',
    '404: not found',
    '"404": not found'
  ),
  M117: error(
    'The file would not be read',
    'Only files named in lowercase letters, digits, dots, hyphens and underscores, ending in `.yaml`, are surfaces. Any other file in the folder would be ignored without a word.',
    'manifests/Guides.yml',
    'manifests/guides.yaml'
  ),
  M118: error(
    'The text is not valid JSON',
    'JSON follows RFC 8259, without duplicate names and without numbers that would lose digits. `entries.json` is one list of entries; `entries.jsonl` has one entry on each line.',
    "{'id': 'a'}",
    '{"id": "a"}'
  ),
  M119: error(
    'The text is not a valid table',
    'CSV follows RFC 4180: commas between cells, a first row that names the field of each column, as many cells in every row. A cell that holds a comma, a quote or a line break is put between double quotes, and a quote within it is written twice.',
    'a,Dune, a novel',
    'a,"Dune, a novel"'
  ),
  M120: error(
    'A Markdown entry has no fields',
    'A Markdown entry begins with its fields as YAML between two lines `---`; its text follows.',
    '# Dune',
    '---\nid: dune\n---\n# Dune'
  )
}

/** M2: the text is valid, but its value does not have the declared shape. */
export const shapeCodes = {
  M201: error(
    'The kind of surface is missing or unknown',
    'Every manifest says first where its answer comes from: `kind` is one of those that the hint lists. The kind decides which other fields exist.',
    'kind: statusonly',
    'kind: status-only'
  ),
  M202: error(
    'A required field is missing',
    'Nothing about rights, freshness or access is assumed: each manifest states it, so that a reader needs no other file.',
    'kind: document\npath: /api/v1/about',
    'kind: document\npath: /api/v1/about\naccess: public'
  ),
  M203: error(
    'A field is unknown',
    'Shapes are closed: a field that nothing reads is a misspelling, or belongs to another kind of surface.',
    'acess: public',
    'access: public'
  ),
  M204: error(
    'A value is not one of the allowed values',
    'The field takes a word of a closed list. The hint shows the list.',
    'access: everyone',
    'access: public'
  ),
  M205: error(
    'A value has the wrong type',
    'Quotes make a value text; without them YAML reads `503` as a number and `true` as a boolean.',
    'status: "503"',
    'status: 503'
  ),
  M206: error(
    'A text has the wrong form',
    'The field has a fixed form, such as a date (`2026-11-20`), a path that starts with `/`, or a name in lowercase words joined by hyphens.',
    'since: November 2026',
    'since: 2026-11-20'
  ),
  M207: error(
    'A value has the wrong size',
    'The text is too short or too long, or the list or mapping has too few or too many members.',
    'tags: []',
    'tags: [books]'
  ),
  M208: error(
    'A number is out of range',
    'The hint shows the smallest and the largest value the field takes.',
    'status: 999',
    'status: 503'
  ),
  M209: error(
    'A list holds the same value twice',
    'The list is a set: each value occurs once.',
    'formats: [json, json]',
    'formats: [json, md]'
  ),
  M210: error(
    'The file is not a mapping',
    'The file holds fields, each `name: value` on its own line, and no list or single value at the top.',
    '- kind: document',
    'kind: document'
  )
}
