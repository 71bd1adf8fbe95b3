import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestion } from '../../diagnostics/suggest.ts'
import type { Context } from '../../manifest/context.ts'
import type { ManifestFile } from '../../manifest/manifest-file.ts'
import { placeholdersOf } from '../../manifest/route.ts'
import { parseTarget, valuesOf } from '../../manifest/target.ts'
import { report } from '../../source/report.ts'
import type { PageManifest } from './manifest.ts'

const lists = ['shows', 'besides'] as const

/**
 * M326: each request must be a URI template. Its path may use placeholders of the page's path; outside `shows`, also
 * members of what is shown.
 */
export function checkTargets({ source, manifest }: ManifestFile<PageManifest>): Diagnostic[] {
  const placeholders = placeholdersOf(manifest.path)
  const targets = lists.flatMap(list =>
    Object.entries(manifest[list] ?? {}).map(([name, text]) => ({ at: [list, name], text }))
  )
  return [...targets, ...(manifest.sends === undefined ? [] : [{ at: ['sends'], text: manifest.sends }])].flatMap(
    ({ at, text }) => {
      const target = parseTarget(text)
      if (target === undefined)
        return [
          report(source, 'M326', at, `\`${text}\` is not a request that can be made.`, {
            hint: 'Write a path such as `/books/{isbn}`, and the query that is passed on as `{?q,limit}`.'
          })
        ]
      const known = (name: string): boolean =>
        placeholders.includes(name) ||
        (at[0] !== 'shows' && name.includes('.') && (name.split('.')[0] as string) in (manifest.shows ?? {}))
      const unknown = valuesOf(target).filter(name => !known(name))
      return unknown.map(one =>
        report(source, 'M326', at, `The path of the page has no \`{${one}}\`.`, { hint: suggestion(one, placeholders) })
      )
    }
  )
}

/** M327: the manifest must name exactly the requests that the view reads. */
export function checkNames({ id, source, manifest }: ManifestFile<PageManifest>, { handlers }: Context): Diagnostic[] {
  const shape = handlers.get(id)
  if (shape === undefined) return []
  return lists.flatMap(list => {
    const [read, named] = [Object.keys(shape[list] ?? {}), Object.keys(manifest[list] ?? {})]
    return [
      ...named
        .filter(name => !read.includes(name))
        .map(name =>
          report(source, 'M327', [list, name], `The view reads no \`${name}\` under \`${list}\`.`, {
            hint: suggestion(name, read)
          })
        ),
      ...read
        .filter(name => !named.includes(name))
        .map(name =>
          report(
            source,
            'M327',
            manifest[list] === undefined ? ['kind'] : [list],
            `The view reads \`${name}\` under \`${list}\`, and the manifest does not name it.`
          )
        )
    ]
  })
}

/** M328: if a page takes a form, its method must be POST, the manifest needs `sends`, and the view needs a form. */
export function checkSends(
  { id, source, manifest: { method = 'GET', sends } }: ManifestFile<PageManifest>,
  { handlers }: Context
): Diagnostic[] {
  const view = handlers.get(id)
  const refuse = (at: readonly string[], message: string, hint: string): Diagnostic[] => [
    report(source, 'M328', at, message, { hint })
  ]
  if (method === 'POST' && sends === undefined)
    return refuse(
      ['method'],
      'The page takes a form and sends it nowhere.',
      'Add `sends:` with the path of the surface that it is for.'
    )
  if (method === 'GET' && sends !== undefined)
    return refuse(
      ['sends'],
      'A form is sent with POST.',
      'Add `method: POST`, in a file of its own that ends with `.post.yaml`.'
    )
  if (view === undefined) return []
  if (sends !== undefined && view.body === undefined)
    return refuse(
      ['sends'],
      'The view takes no form.',
      'Add `form: { fields, limitBytes, reply, toBody }` to its `definePage`.'
    )
  return sends === undefined && view.body !== undefined
    ? refuse(['kind'], 'The view takes a form, and the manifest sends it nowhere.', 'Add `method: POST` and `sends:`.')
    : []
}
