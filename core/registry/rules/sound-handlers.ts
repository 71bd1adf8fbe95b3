import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { checkSchema, validateSchema } from '../../schema/compile.ts'
import { unsafePatternHint, unsafePatterns } from '../../schema/patterns.ts'
import { reportFile } from '../../source/report.ts'
import type { ReferenceRule } from './rule.ts'

const pathOf = (pointer: readonly (string | number)[]): string =>
  pointer.length === 0 ? '' : ` at \`/${pointer.join('/')}\``

/** H103, H104: the schemas of a handler are valid, describe objects where they must, and hold no dangerous pattern. */
export const soundHandlers: ReferenceRule = ({ handlers, handlerFiles }) =>
  [...handlers].flatMap(([id, { params, query, body, reply }]) => {
    const file = handlerFiles.get(id) ?? id
    const parts = [
      ['params', params],
      ['query', query],
      ['body', body?.schema],
      ['reply', reply]
    ] as const
    return parts.flatMap(([name, schema]): Diagnostic[] => {
      if (schema === undefined) return []
      if ((name === 'params' || name === 'query') && schema['type'] !== 'object')
        return [reportFile(file, 'H103', `\`${name}\` must describe an object.`, 'Use `Type.Object({ … })`.')]
      // The reply is ours: only what a caller sends has to be checked at each request, and matched in bounded time.
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
