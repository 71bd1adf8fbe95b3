import { error } from './entry.ts'

/** M2: the file is valid YAML, but does not have the declared shape. */
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
} as const
