import { surfaceAt, type Example, type Surface } from '../../core/manifest/surface.ts'
import type { Registry } from '../../core/registry/registry.ts'

/** A request that sends a form without a field, at a path with the values of an example of the surface it sends to. */
export function formExample({ surfaces }: Pick<Registry, 'surfaces'>, { route, page }: Surface): Example {
  const target = page?.sends === undefined ? undefined : surfaceAt(surfaces, page.sends, 'POST')
  const params = target?.examples[0]?.params ?? {}
  const url = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 'none'))
  const content = { type: 'application/x-www-form-urlencoded', text: '' }
  return {
    title: 'No field',
    method: 'POST',
    params,
    query: {},
    headers: {},
    content,
    url,
    expect: { status: 200, shows: {} }
  }
}
