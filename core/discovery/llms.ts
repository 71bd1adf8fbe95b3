import { accessText, admitsEveryone } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { defineDocument } from './define.ts'
import { deprecationNote } from './deprecated.ts'
import { absolute, isPaused, pathTo, sampleUrl } from './pointers.ts'

const note = (registry: Registry, surface: Surface): string => {
  const reservations = [
    isPaused(surface) && !/^paused/i.test(surface.summary) ? 'paused, no data' : '',
    admitsEveryone(surface.access) ? '' : `needs ${accessText(surface.access)} access`,
    deprecationNote(surface, registry)
  ].filter(word => word !== '')
  return reservations.length === 0 ? surface.summary : `${surface.summary} (${reservations.join(', ')})`
}

const line = (registry: Registry, surface: Surface): string => {
  const url = sampleUrl(registry, surface)
  const verb = surface.route.methods.includes('GET') ? '' : `${surface.route.methods.join(', ')} `
  return url === null ? '' : `- [${verb}${surface.route.path}](${url}): ${note(registry, surface)}\n`
}

/**
 * Returns a section for the surfaces outside the groups, with one line per first tag, so that it stays short with any
 * number of surfaces.
 */
function others(registry: Registry, shown: ReadonlySet<string>): string {
  const directory = pathTo(registry, 'manifest')
  const paths = new Map<string, Set<string>>()
  for (const surface of registry.surfaces) {
    if (shown.has(surface.id)) continue
    const tag = surface.tags[0] ?? 'other'
    paths.set(tag, (paths.get(tag) ?? new Set()).add(surface.route.path))
  }
  if (paths.size === 0 || directory === null) return ''
  const lines = [...paths]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([tag, members]) => `- [${tag}](${absolute(registry, directory)}): ${[...members].join(', ')}\n`)
  return `\n## Optional\n\n${lines.join('')}`
}

/**
 * Builds llms.txt, the map for language models, in the order of that convention: title, summary, free text, sections of
 * links. The groups are those of `service.yaml`; a last section, which readers may skip, lists the rest.
 */
export const llms = defineDocument(Type.String())({
  build: registry => {
    const { service, byId } = registry
    const sections = service.index.map(
      ({ title, surfaces }) =>
        `\n## ${title}\n\n${surfaces
          .flatMap(id => byId.get(id) ?? [])
          .map(surface => line(registry, surface))
          .join('')}`
    )
    const promises = service.invariants.map(invariant => `- ${invariant}\n`).join('')
    return (
      `# ${service.name}\n\n> ${service.summary}\n\n${service.description.trim()}\n\nWhat holds here:\n\n${promises}${sections.join('')}` +
      others(registry, new Set(service.index.flatMap(group => group.surfaces)))
    )
  }
})
