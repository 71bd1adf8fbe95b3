import type { Registry } from '../../registry/registry.ts'

const shown = 6

/** Every tag, with what its surfaces are called. */
export function tagsOf ({ surfaces }: Registry): { name: string, description: string }[] {
  const titles = new Map<string, Set<string>>()
  for (const { tags, title } of surfaces) for (const tag of tags) titles.set(tag, (titles.get(tag) ?? new Set()).add(title))
  return [...titles].sort(([a], [b]) => a < b ? -1 : 1).map(([name, all]) => {
    const first = [...all].slice(0, shown).join('; ')
    return { name, description: all.size > shown ? `${first}; and ${all.size - shown} more.` : `${first}.` }
  })
}
