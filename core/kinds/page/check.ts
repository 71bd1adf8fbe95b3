import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggest, suggestion } from '../../diagnostics/suggest.ts'
import type { Context, HandlerShape, ManifestFile } from '../../manifest/kind.ts'
import { segments } from '../../manifest/normalise.ts'
import { parseTarget, placeholdersOf, valuesOf } from '../../manifest/paths.ts'
import { checkParams, pathForm } from '../../manifest/rules.ts'
import { report } from '../../source/report.ts'
import { formsOf } from './form.ts'
import type { PageManifest } from './manifest.ts'

const lists = ['shows', 'besides'] as const

/** The places of a manifest that say a request, with the placeholders of the path that its values come from. */
const requestsOf = ({ path, forms = {}, ...manifest }: PageManifest) => [
  ...lists.flatMap(list =>
    Object.entries(manifest[list] ?? {}).map(([name, text]) => ({ at: [list, name], text, path }))
  ),
  ...Object.entries(forms).map(([name, { sends, path: own = path }]) => ({
    at: ['forms', name, 'sends'],
    text: sends,
    path: own
  }))
]

/**
 * M326: each request is a template. Its path takes values of the path of the page or form; elsewhere than under `shows`
 * also members of what is shown.
 */
export function checkTargets({ source, manifest }: ManifestFile<PageManifest>): Diagnostic[] {
  return requestsOf(manifest).flatMap(({ at, text, path }) => {
    const target = parseTarget(text)
    if (target === undefined)
      return [
        report(source, 'M326', at, `\`${text}\` is not a request that can be made.`, {
          hint: 'Write a path such as `/books/{isbn}`, and the query that is passed on as `{?q,limit}`.'
        })
      ]
    const placeholders = placeholdersOf(path)
    const known = (name: string): boolean =>
      placeholders.includes(name) ||
      (at[0] !== 'shows' && name.includes('.') && (name.split('.')[0] as string) in (manifest.shows ?? {}))
    const unknown = valuesOf(target).filter(name => !known(name))
    return unknown.map(one =>
      report(source, 'M326', at, `The path of the ${at[0] === 'forms' ? 'form' : 'page'} has no \`{${one}}\`.`, {
        hint: suggestion(one, placeholders)
      })
    )
  })
}

/**
 * M301, M326, M411, M412: the path of a form has the right form, the placeholders of its page, which it leads back to,
 * and those that its code reads.
 */
export function checkFormPaths(file: ManifestFile<PageManifest>, { handlers }: Context): Diagnostic[] {
  const wanted = placeholdersOf(file.manifest.path)
  return formsOf(file, () => undefined).flatMap(form => {
    const [problem] = pathForm(form)
    if (problem !== undefined) return [problem]
    const has = placeholdersOf(form.manifest.path)
    const missing = wanted.filter(name => !has.includes(name))
    if (missing.length > 0)
      return missing.map(name =>
        report(
          form.source,
          'M326',
          ['path'],
          `The path of the form has no \`{${name}}\`, which that of its page has.`,
          { hint: suggestion(name, has) ?? `Begin it with \`${file.manifest.path}\`.` }
        )
      )
    const shape = handlers.get(form.id)
    return shape === undefined
      ? []
      : checkParams(form, { what: `The form \`${form.id}\``, params: segments(has), ...shape })
  })
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

/** M327: what the code of a form reads is something that its page asks for. */
const checkReads = (
  { source, manifest }: ManifestFile<PageManifest>,
  name: string,
  shape: HandlerShape | undefined
): Diagnostic[] =>
  lists.flatMap(list =>
    Object.keys(shape?.[list] ?? {})
      .filter(read => !Object.hasOwn(manifest[list] ?? {}, read))
      .map(read =>
        report(
          source,
          'M327',
          ['forms', name],
          `The form reads \`${read}\` under \`${list}\`, which its page does not.`,
          { on: 'key', hint: suggestion(read, Object.keys(manifest[list] ?? {})) }
        )
      )
  )

/** M328: the manifest of a page names the forms that its view has, and no others. */
export function checkForms(file: ManifestFile<PageManifest>, { handlers }: Context): Diagnostic[] {
  const { id, source, manifest } = file
  const shape = handlers.get(id)
  if (shape === undefined) return []
  const [coded, named] = [Object.keys(shape.forms ?? {}), Object.keys(manifest.forms ?? {})]
  const misnamed = named.filter(name => !coded.includes(name))
  const left = coded.filter(name => !named.includes(name))
  return [
    ...named.flatMap(name =>
      coded.includes(name)
        ? checkReads(file, name, shape.forms?.[name])
        : [
            report(source, 'M328', ['forms', name], `The page has no code for the form \`${name}\`.`, {
              on: 'key',
              hint: suggestion(name, left) ?? `Add \`forms: { ${name}: defineForm({ … }) }\` to its \`definePage\`.`
            })
          ]
    ),
    ...coded
      .filter(name => !named.includes(name) && suggest(name, misnamed) === undefined)
      .map(name =>
        report(
          source,
          'M328',
          manifest.forms === undefined ? ['kind'] : ['forms'],
          `The code of the page has the form \`${name}\`, and the manifest does not name it.`,
          { hint: `Add \`${name}: { sends: … }\` under \`forms\`.` }
        )
      )
  ]
}
