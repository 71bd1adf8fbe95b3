import type { JsonSchema } from '../../canonical/json.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { propertiesOf } from '../../manifest/entry-fields.ts'
import { pageIdOf } from '../../manifest/handler-shape.ts'
import { checkSchema, validateSchema } from '../../schema/compile.ts'
import { unsafePatternHint, unsafePatterns } from '../../schema/patterns.ts'
import { reportFile } from '../../source/report.ts'
import type { ReferenceRule } from './rule.ts'

const pathOf = (pointer: readonly (string | number)[]): string =>
  pointer.length === 0 ? '' : ` at \`/${pointer.join('/')}\``

/** The file of code; that of a form is the file of its page. */
const fileOf = (files: ReadonlyMap<string, string>, id: string): string => files.get(pageIdOf(id)) ?? id

/** Tells whether a form can send what a schema describes. The field `token` is that of the session. */
const isFlat = (schema: JsonSchema): boolean =>
  schema['type'] === 'object' &&
  Object.entries(propertiesOf(schema)).every(
    ([name, { type }]) => name !== 'token' && type !== 'array' && type !== 'object'
  )

const mediaType = /^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/

/**
 * H110: a handler with files needs a `body`. Their names differ from the body's fields; types and size limits are
 * valid.
 */
export const soundFiles: ReferenceRule = ({ handlers, handlerFiles }) =>
  [...handlers].flatMap(([id, { body, files = {} }]) =>
    Object.entries(files).flatMap(([name, { types, limitBytes }]) => {
      const problem =
        body === undefined
          ? ['Files come beside the fields of a `body`, and there is none.', 'Add `body`, with an object of no fields.']
          : Object.hasOwn(propertiesOf(body.schema), name)
            ? [`The file \`${name}\` has the name of a field of the body.`, 'Give it another name.']
            : types.length === 0 || !types.every(type => mediaType.test(type))
              ? [
                  `The file \`${name}\` may be ${types.length === 0 ? 'of no type' : types.join(', ')}.`,
                  'Name media types in lower case, without parameters, such as `text/csv`.'
                ]
              : !Number.isSafeInteger(limitBytes) || limitBytes < 1
                ? [`The file \`${name}\` may have ${limitBytes} bytes.`, 'Give a whole number of bytes.']
                : undefined
      return problem === undefined
        ? []
        : [reportFile(fileOf(handlerFiles, id), 'H110', problem[0] ?? '', problem[1] ?? '')]
    })
  )

/**
 * H103, H104: the schemas of a handler must be valid; `params` and `query` must describe objects, and input patterns
 * must not backtrack without bound.
 */
export const soundHandlers: ReferenceRule = ({ handlers, handlerFiles }) =>
  [...handlers].flatMap(([id, { params, query, body, reply }]) => {
    const file = fileOf(handlerFiles, id)
    const parts = [
      ['params', params],
      ['query', query],
      ['body', body?.schema],
      ['reply', reply]
    ] as const
    return parts.flatMap(([name, schema]): Diagnostic[] => {
      if (schema === undefined) return []
      if (name === 'body' && body?.isForm === true && !isFlat(schema))
        return [
          reportFile(
            file,
            'H103',
            `The \`fields\` of the form \`${id}\` must describe an object of texts, whole numbers and booleans.`,
            'Use `Type.Object({ … })` without lists and objects in it, and without a field `token`.'
          )
        ]
      if ((name === 'params' || name === 'query') && schema['type'] !== 'object')
        return [reportFile(file, 'H103', `\`${name}\` must describe an object.`, 'Use `Type.Object({ … })`.')]
      // The service writes the reply itself. Only input from callers is checked at each request and needs safe
      // patterns.
      const issues = name === 'reply' ? validateSchema(schema) : checkSchema(schema)
      if (issues.length > 0)
        return issues.map(issue =>
          reportFile(file, 'H103', `The schema \`${name}\` is not valid${pathOf(issue.pointer)}: ${issue.message}`)
        )
      return name === 'reply'
        ? []
        : unsafePatterns(schema).map(({ pointer, pattern }) =>
            reportFile(
              file,
              'H104',
              `The pattern \`${pattern}\` of \`${name}\`${pathOf(pointer)} can backtrack without bound.`,
              unsafePatternHint
            )
          )
    })
  })
