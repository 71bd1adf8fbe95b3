// What the framework says, in English, of the parameters and the members that its kinds add to a surface, and in the
// document that explains how an answer is read.

/** Descriptions of parameters and members, with values in place of the placeholders. */
export const descriptions = [
  'Fills `{{name}}` of the path.',
  'Query parameter `{name}`.',
  'Not read: the answer is the same for every value.',
  'The JSON body, at most {limit} bytes.',
  'HTTP method; {method} when absent.',
  'Language of the answer; goes before `Accept-Language`. Without both: {language}.',
  'Representation of the answer.',
  'Value of the parameter at place {place}.',
  'Entries whose `{field}` is this value.',
  'Entries whose `{field}` is this value, in capitals or not.',
  'Entries whose `{field}` is one of these values, with commas between them.',
  'Entries whose `{field}` is one of these values, with commas between them: {values}.',
  'Entries whose `{field}` contains this text, in capitals or not.',
  'Entries whose `{field}` is this date or later.',
  'Entries whose `{field}` is this date or earlier.',
  'Entries whose `{field}` is at least this number.',
  'Entries whose `{field}` is at most this number.',
  'Key of an entry of `{corpus}`.',
  '{description} (Key of an entry of `{corpus}`.)',
  'Words to search: all of them, unless `or` is between them; `-word` excludes, and "quotes" keep the order.',
  'Field to sort by; `-field` from high to low.',
  'Number of entries.',
  'Number of entries to skip.',
  'Where the page before ended, as its `Link` with `rel="next"` and its `next_link` say; without it the first page.',
  'Count the entries, before and after filtering.',
  'Members of an entry to show, with commas between them: {names}. Shown in any case: {always}. Without it all are.',
  'Every entry that is selected, in one answer that is sent while it is read: as {formats}, without `limit` and `cursor`, and at most {maximum}.',
  'Every entry that the filters select, beside the one of the day.',
  'Every entry that the filters select, where `all=true` asked for them.',
  'The UTC day of the choice.',
  'The entry of the day; `null` when the filters select none.',
  'Date of the oldest entry; `null` for an empty corpus.',
  'Entries before filtering.',
  'Entries before filtering. `null` unless `count=true`.',
  'Entries that all filters select, before the limit.',
  'Entries that the filters and the words select. `null` unless `count=true`.',
  'Entries in this answer.',
  'URL of this representation.',
  'SHA-256, 64 lowercase hexadecimal digits.',
  'SHA-256 over the canonical JSON (RFC 8785) of the covered members, lowercase hex.',
  'Whether nothing is advised.',
  'UTC, with milliseconds.',
  'Whole seconds since 1970-01-01T00:00:00Z.'
] as const

/** What the document `diagnostic` asks a reader to do. */
export const howToUse = [
  'Parse `known_good` with the code you use for real answers.',
  'Check that `data` comes back as it is here: the number as an integer, `nothing` as null, `beyond_ascii` letter by letter.',
  'Check that your code finds every field of `envelope_must_have` in `_meta`, and does not fail on one it does not know.',
  'Look at the headers of this very answer and compare `Link` with `link_header_must_include`.'
] as const

/** What the document `diagnostic` asks a reader to check in a parser that fails. */
export const whatToCheck = [
  'Whether it reads UTF-8, and not a guess from the first bytes.',
  'Whether it keeps integers up to 9007199254740991 exact.',
  'Whether it takes null for a value that is there and empty, not for an absent one.',
  'Whether it accepts members that were added after it was written: additions are not breaking changes here.'
] as const
