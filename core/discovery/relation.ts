import { Type } from '../canonical/type.ts'
import { notFound } from '../handler/errors.ts'
import { absolute, linkTarget } from './pointers.ts'
import { Closed, defineDocument, Nullable, Path, Text } from './define.ts'

const Document = Closed({
  rel: Text,
  uri: Type.String({ description: 'Address that names the relation in a Link header.' }),
  meaning: Text,
  registered: Type.Boolean({ description: 'True for a name of the IANA registry of link relations.' }),
  target: Nullable(Path),
  target_is_the_answered_path: Type.Boolean(),
  type: Nullable(Text),
  known_relations: Type.Array(Text)
})

/** The document that describes a link relation at the relation's URI (RFC 8288 section 2.1.2). */
export const relation = defineDocument(Document)({
  input: {
    params: Closed({ rel: Type.String({ minLength: 1, maxLength: 160, description: 'Name of a link relation.' }) })
  },
  build: (registry, request) => {
    const { links } = registry.service
    const rel = String(request.params.rel ?? '')
    const known = links.map(link => link.rel)
    const link = links.find(candidate => candidate.rel === rel)
    if (link === undefined) throw notFound('link relation', rel, { known_relations: known })
    return {
      rel,
      uri: absolute(registry, `/rels/${rel}`),
      meaning: link.meaning,
      registered: link.registered,
      target: linkTarget(registry, rel),
      target_is_the_answered_path: link.surface === undefined,
      type: link.type ?? null,
      known_relations: known
    }
  }
})
