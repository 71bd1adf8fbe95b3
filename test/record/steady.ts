/** What differs between any two answers: when and for which request they were made, and what chance gave them. */
const volatile: readonly (readonly [pattern: RegExp, stands: string])[] = [
  [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})/g, 'TIME'],
  [/\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2})? UTC/g, 'TIME'],
  [/(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT/g, 'TIME'],
  [
    /\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4} at \d{2}:\d{2}/g,
    'TIME'
  ],
  // Seconds and milliseconds since 1970, of this decade and the next.
  [/\b(?:1[789]|2[012])\d{8}(?:\d{3})?\b/g, 'TIME'],
  [/req_[\w-]+/g, 'REQUEST'],
  [/\b(?:[0-9a-f]{64}|[0-9a-f]{16})\b/g, 'HASH'],
  [/\bpantry_(?:agt|whl)_[\w-]+/g, 'KEY'],
  [/\b(?:127\.0\.0\.1|localhost):\d+/g, 'HOST'],
  // What is random is long, and of all kinds of characters.
  [/(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*\d)[\w-]{22,}(?![\w-])/g, 'RANDOM']
]
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** A text without what differs between any two; ids are numbered as they come. */
export function steady(text: string): string {
  const ids = new Map<string, string>()
  return volatile
    .reduce((held, [pattern, stands]) => held.replace(pattern, stands), text)
    .replaceAll(uuid, id => {
      const known = ids.get(id) ?? `ID-${ids.size + 1}`
      ids.set(id, known)
      return known
    })
}
