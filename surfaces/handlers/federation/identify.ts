import { Type, mirrorDocument } from 'pantry/handler'
import { ownSources, seedOf } from '../../cards/documents/parts.ts'
import { HashText } from '../../cards/parameters.ts'
import { defineHandler } from '../../define.ts'
import { identifyBody, IdentifySchema, requestedHash } from '../../cards/documents/identify.ts'

/** Resolves a structural hash to the object that it identifies. An unknown hash is a regular result, not an error. */
export default defineHandler({
  params: Type.Object({ hash: HashText }),
  reply: IdentifySchema,
  async handle({ params, pathTo }, { catalogue, cardHistory, encoding }) {
    const hash = requestedHash(params.hash)
    const resolved = await catalogue.byHash(hash)
    const body = identifyBody(
      hash,
      resolved,
      resolved === undefined ? await cardHistory.byFormerHash(hash) : undefined,
      pathTo
    )
    return {
      mirror: mirrorDocument({
        encoding,
        kind: 'federation_identify_response',
        seed: seedOf('federation_identify_response', body),
        body,
        ...ownSources
      })
    }
  }
})
