import type { ReadRequest } from './read-request.ts'

/** Returns sentences on what is good about a request, and on what would improve the next one. */
export const kindWords = ({ contact, compressed, remembers, foreign, privacy }: ReadRequest): readonly string[] => [
  contact
    ? 'You say whom to write to. Thank you; that is rarer than it should be.'
    : 'If you call often, put a mailbox or a page into your User-Agent: `<project>/<version> (<contact>)`. Then we can write before we wonder.',
  compressed
    ? 'You take compressed answers, which is kind to the wire.'
    : 'Say `Accept-Encoding: gzip`, and answers arrive at a fraction of their size.',
  remembers
    ? 'You came with the tag of an earlier answer. Elsewhere that gets you a 304 and no body at all.'
    : 'Answers carry an ETag. Send it back as If-None-Match, and what has not changed costs you nothing.',
  ...(foreign
    ? [
        'Our own texts are in English alone, which is a gap and is listed as one. Names of cards may be held in your language.'
      ]
    : []),
  ...(privacy ? ['You ask not to be followed. Nobody is, here.'] : [])
]
