import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggest, suggestionHint } from '../../diagnostics/suggest.ts'
import type { Context, HandlerShape, ManifestFile } from '../../manifest/kind.ts'
import { placeholdersSchema } from '../../manifest/normalise.ts'
import { parseTarget, placeholdersOf, requiredVariablesOf } from '../../manifest/paths.ts'
import { checkParams, checkPathForm } from '../../manifest/rules.ts'
import { propertiesOf } from '../../schema/json-schema.ts'
import { report } from '../../source/report.ts'
import { formsOf } from './form.ts'
import type { PageManifest } from './manifest.ts'
import { namesOfStep, stepFields } from './steps.tsx'

type File = ManifestFile<PageManifest>

const lists = ['shows', 'besides'] as const

/** Returns the requests in a manifest, each with the path whose placeholders it may use. */
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
 * M326: each request is a valid template. Its values are placeholders of the path of the page or form; under `besides`
 * and `forms`, also members of what is shown.
 */
export function* checkTargets({ source, manifest }: File): Generator<Diagnostic> {
  for (const { at, text, path } of requestsOf(manifest)) {
    const target = parseTarget(text)
    if (target === undefined) {
      yield report(source, 'M326', at, `\`${text}\` is not a request that can be made.`, {
        hint: 'Write a path such as `/books/{isbn}`, and the query that is passed on as `{?q,limit}`.'
      })
      continue
    }
    const placeholders = placeholdersOf(path)
    const isKnown = (name: string): boolean =>
      placeholders.includes(name) ||
      (at[0] !== 'shows' && name.includes('.') && (name.split('.')[0] as string) in (manifest.shows ?? {}))
    const owner = at[0] === 'forms' ? 'form' : 'page'
    for (const name of requiredVariablesOf(target).filter(name => !isKnown(name)))
      yield report(source, 'M326', at, `The path of the ${owner} has no \`{${name}}\`.`, {
        hint: suggestionHint(name, placeholders)
      })
  }
}

export function checkFormPaths(file: File, { handlers }: Context): Diagnostic[] {
  const { path } = file.manifest
  return formsOf(file, () => undefined).flatMap(form => {
    const [problem] = checkPathForm(form)
    if (problem !== undefined) return [problem]
    const names = placeholdersOf(form.manifest.path)
    const missing = placeholdersOf(path).filter(name => !names.includes(name))
    if (missing.length > 0)
      return missing.map(name => {
        const message = `The path of the form has no \`{${name}}\`, which that of its page has.`
        const hint = suggestionHint(name, names) ?? `Begin it with \`${path}\`.`
        return report(form.source, 'M326', ['path'], message, { hint })
      })
    const shape = handlers.get(form.id)
    return shape === undefined
      ? []
      : checkParams(form, { what: `The form \`${form.id}\``, params: placeholdersSchema(names), ...shape })
  })
}

export function* checkNames({ id, source, manifest }: File, { handlers }: Context): Generator<Diagnostic> {
  const shape = handlers.get(id)
  if (shape === undefined) return
  const { menu: { asks } = {} } = manifest
  const asked = Object.keys(shape.query?.['properties'] ?? {})
  if (asks !== undefined && !asked.includes(asks))
    yield report(source, 'M327', ['menu', 'asks'], `The page has no query parameter \`${asks}\`.`, {
      hint: suggestionHint(asks, asked)
    })
  for (const list of lists) {
    const [read, named] = [Object.keys(shape[list] ?? {}), Object.keys(manifest[list] ?? {})]
    for (const name of named.filter(name => !read.includes(name)))
      yield report(source, 'M327', [list, name], `The view reads no \`${name}\` under \`${list}\`.`, {
        hint: suggestionHint(name, read)
      })
    for (const name of read.filter(name => !named.includes(name))) {
      const message = `The view reads \`${name}\` under \`${list}\`, and the manifest does not name it.`
      yield report(source, 'M327', [manifest[list] === undefined ? 'kind' : list], message)
    }
  }
}

function* checkReads({ source, manifest }: File, form: string, shape: HandlerShape | undefined): Generator<Diagnostic> {
  for (const list of lists) {
    const named = manifest[list] ?? {}
    for (const name of Object.keys(shape?.[list] ?? {}).filter(name => !Object.hasOwn(named, name))) {
      const message = `The form reads \`${name}\` under \`${list}\`, which its page does not.`
      yield report(source, 'M327', ['forms', form], message, {
        on: 'key',
        hint: suggestionHint(name, Object.keys(named))
      })
    }
  }
}

export function* checkForms(file: File, { handlers }: Context): Generator<Diagnostic> {
  const { id, source, manifest } = file
  const shape = handlers.get(id)
  if (shape === undefined) return
  const [coded, named] = [Object.keys(shape.forms ?? {}), Object.keys(manifest.forms ?? {})]
  const left = coded.filter(name => !named.includes(name))
  const misnamed = named.filter(name => !coded.includes(name))
  for (const name of named)
    if (coded.includes(name)) yield* checkReads(file, name, shape.forms?.[name])
    else
      yield report(source, 'M328', ['forms', name], `The page has no code for the form \`${name}\`.`, {
        on: 'key',
        hint: suggestionHint(name, left) ?? `Add \`forms: { ${name}: defineForm({ … }) }\` to its \`definePage\`.`
      })
  for (const name of left.filter(name => suggest(name, misnamed) === undefined)) {
    const message = `The code of the page has the form \`${name}\`, and the manifest does not name it.`
    yield report(source, 'M328', [manifest.forms === undefined ? 'kind' : 'forms'], message, {
      hint: `Add \`${name}: { sends: … }\` under \`forms\`.`
    })
  }
}

/**
 * M332, M333: a second step names what is in the path or what the form sends, and the form sends nothing that it would
 * lose.
 */
export function* checkSteps({ id, source, manifest }: File, { handlers }: Context): Generator<Diagnostic> {
  for (const [form, { path = manifest.path, confirm }] of Object.entries(manifest.forms ?? {})) {
    const { body, files = {} } = handlers.get(id)?.forms?.[form] ?? {}
    if (confirm === undefined || body === undefined) continue
    const at = ['forms', form, 'confirm']
    const fields = Object.keys(propertiesOf(body.schema))
    const known = [...placeholdersOf(path), ...fields, 'about']
    for (const [place, step] of confirm.entries())
      for (const name of namesOfStep(step).filter(name => !known.includes(name)))
        yield report(source, 'M332', [...at, place], `The form \`${form}\` has no \`${name}\`, which its step names.`, {
          hint: suggestionHint(name, known)
        })
    for (const name of Object.keys(files))
      yield report(source, 'M333', at, `The file \`${name}\` of the form \`${form}\` is lost at the second step.`, {
        on: 'key',
        hint: 'A page cannot hold a file: remove `confirm`, or ask with a box in the form itself.'
      })
    for (const name of fields.filter(name => Object.hasOwn(stepFields, name)))
      yield report(source, 'M333', at, `The second step of \`${form}\` has a field \`${name}\` of its own.`, {
        on: 'key',
        hint: 'Give the field of the form another name.'
      })
  }
}
