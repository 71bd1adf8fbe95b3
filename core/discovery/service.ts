import { accessShown } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import { AccessName, Closed, defineDocument, Nullable, Path, Text, Url } from './define.ts'
import { absolute, absoluteOrNull, isPaused, linkTarget, pathTo } from './pointers.ts'

const Document = Closed({
  id: Text,
  name: Text,
  version: Text,
  spec_version: Text,
  description: Text,
  homepage: Url,
  encoding: Text,
  start_here: Nullable(Url),
  documents: Type.Record(Type.String(), Url, { description: 'Discovery documents by name.' }),
  groups: Type.Array(
    Closed({
      group: Text,
      title: Text,
      endpoints: Type.Array(
        Closed({ path: Path, description: Text, auth: AccessName, status: Type.Enum(['available', 'paused']) })
      )
    })
  ),
  license_tiers: Type.Record(Type.String(), Text),
  rate_limits: Closed({
    summary: Text,
    limit: Type.Integer(),
    window_seconds: Type.Integer(),
    policy_url: Nullable(Url)
  }),
  stability_commitment: Text,
  contact: Closed({ email: Text, response_hours: Type.Integer() })
})

/** The well-known document of the service: who runs it, and where its documents and surfaces are. */
export const service = defineDocument(Document)({
  build: registry => {
    const { service: own, byId } = registry
    return {
      id: own.id,
      name: own.name,
      version: own.version,
      spec_version: own.spec_version,
      description: own.description,
      homepage: own.base_url,
      encoding: own.encoding,
      start_here: absoluteOrNull(registry, linkTarget(registry, 'start')),
      documents: Object.fromEntries(
        [...new Set(registry.surfaces.flatMap(({ serves }) => serves ?? []))].flatMap(document => {
          const path = pathTo(registry, document)
          return path === null || path.includes('{') ? [] : [[document, absolute(registry, path)]]
        })
      ),
      groups: own.index.map(({ group, title, surfaces }) => ({
        group,
        title,
        endpoints: surfaces
          .flatMap(id => byId.get(id) ?? [])
          .map(surface => ({
            path: surface.route.path,
            description: surface.summary,
            auth: accessShown(surface.access),
            status: isPaused(surface) ? ('paused' as const) : ('available' as const)
          }))
      })),
      license_tiers: Object.fromEntries(Object.entries(own.tiers).map(([tier, { meaning }]) => [tier, meaning])),
      rate_limits: {
        summary: own.rate_policy.summary,
        limit: own.rate_policy.limit,
        window_seconds: own.rate_policy.window_seconds,
        policy_url: absoluteOrNull(registry, pathTo(registry, 'rate-limits'))
      },
      stability_commitment:
        'Paths keep their version. Members may be added at any time; a member is removed or changes its meaning only with notice.',
      contact: own.contact
    }
  }
})
