import { registryOf } from '../support/registry.ts'
import type { Part, Row } from './rows.ts'

/** What is declared of each route. What is observed of it (who is refused what) stands among the answers. */
async function* rows(): AsyncGenerator<Row> {
  const { registry } = await registryOf()
  for (const surface of [...registry.surfaces, ...registry.forms]) {
    const { id, route, access, carriesPii, requiresConsent, freshness, cache, input, formats, contract, kind } = surface
    for (const method of route.methods)
      yield {
        key: `${method} ${route.path}`,
        facts: {
          surface: id,
          kind,
          aliases: route.aliases.map(({ path }) => path),
          access,
          formats,
          contract,
          cache: cache ?? 'by freshness',
          freshness,
          pii: carriesPii,
          consent: requiresConsent,
          form: input.body?.isForm ?? false,
          bodyBytes: (input.body ?? input.bytes)?.limitBytes ?? null,
          files: input.files ?? {},
          refuses: surface.refuses ?? []
        }
      }
  }
}

export const routes: Part = {
  name: 'routes',
  about: 'each method and path: access, body limit, cache, personal data, consent',
  rows
}
