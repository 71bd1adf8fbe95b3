import type { Registry } from '../../registry/registry.ts'

const shown = 6

/** Returns all tags, each with its meaning in `service.yaml` or else the titles of its surfaces. */
export function tagsOf({ service, surfaces }: Registry): { name: string; description: string }[] {
  const declared = new Map(Object.entries(service.tags))
  const titles = new Map<string, Set<string>>()
  for (const { tags, title } of surfaces)
    for (const tag of tags) titles.set(tag, (titles.get(tag) ?? new Set()).add(title))
  return [...titles]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, all]) => {
      const first = [...all].slice(0, shown).join('; ')
      const titled = all.size > shown ? `${first}; and ${all.size - shown} more.` : `${first}.`
      return { name, description: declared.get(name)?.meaning ?? titled }
    })
}
