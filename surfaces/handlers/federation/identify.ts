import { Type, mirrorDocument } from 'pantry/handler'
import { seedOf } from '../../catalogue/recipes.ts'
import { ownSources } from '../../catalogue/document-members.ts'
import { HashText } from '../../catalogue/parameters.ts'
import { defineHandler } from '../../define.ts'
import { identifyBody, requestedHash } from '../../federation/identify-body.ts'
import { IdentifySchema } from '../../federation/schemas.ts'

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
