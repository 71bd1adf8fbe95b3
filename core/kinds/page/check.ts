import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestion } from '../../diagnostics/suggest.ts'
import type { Context } from '../../manifest/context.ts'
import type { ManifestFile } from '../../manifest/manifest-file.ts'
import { placeholdersOf } from '../../manifest/route.ts'
import { parseTarget, valuesOf } from '../../manifest/target.ts'
import { report } from '../../source/report.ts'
import type { PageManifest } from './manifest.ts'

const lists = ['shows', 'besides'] as const

/** M326: each request is a template, of values that the path or the query gives. */
export function checkTargets ({ source, manifest }: ManifestFile<PageManifest>): Diagnostic[] {
  const placeholders = placeholdersOf(manifest.path)
  return lists.flatMap(list => Object.entries(manifest[list] ?? {}).flatMap(([name, text]) => {
    const target = parseTarget(text)
    if (target === undefined) return [report(source, 'M326', [list, name], `\`${text}\` is no request that can be made.`, { hint: 'Write a path such as `/books/{isbn}`, and the query that is passed on as `{?q,limit}`.' })]
    const known = (name: string): boolean => placeholders.includes(name) || target.names.includes(name) || (list === 'besides' && name.includes('.') && name.split('.')[0] as string in (manifest.shows ?? {}))
    const unknown = valuesOf(target).filter(name => !known(name))
    return unknown.map(one => report(source, 'M326', [list, name], `The path of the page has no \`{${one}}\`.`, { hint: suggestion(one, placeholders) }))
  }))
}

/** M327: the manifest names what the view reads, and nothing else. */
export function checkNames ({ id, source, manifest }: ManifestFile<PageManifest>, { handlers }: Context): Diagnostic[] {
  const shape = handlers.get(id)
  if (shape === undefined) return []
  return lists.flatMap(list => {
    const [read, named] = [Object.keys(shape[list] ?? {}), Object.keys(manifest[list] ?? {})]
    return [
      ...named.filter(name => !read.includes(name)).map(name => report(source, 'M327', [list, name], `The view reads no \`${name}\` under \`${list}\`.`, { hint: suggestion(name, read) })),
      ...read.filter(name => !named.includes(name)).map(name => report(source, 'M327', manifest[list] === undefined ? ['kind'] : [list], `The view reads \`${name}\` under \`${list}\`, and the manifest does not name it.`))
    ]
  })
}
