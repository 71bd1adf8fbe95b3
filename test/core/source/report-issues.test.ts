import t from 'tap'
import { readYaml } from '../../../core/source/read-yaml.ts'
import { reportIssues } from '../../../core/source/report-issues.ts'
import { compileSchema } from '../../../core/schema/compile.ts'

const schema = {
  type: 'object',
  properties: {
    tags: { type: 'array', description: 'Words.' },
    limit: { type: 'object' },
    title: { type: 'string' },
    count: { type: 'integer' },
    open: { type: 'boolean' }
  }
}

/** The hint of one line of YAML. */
function hintOf(line: string): string | undefined {
  const source = readYaml('a.yaml', Buffer.from(line))
  const [found] = reportIssues(source, compileSchema(schema)(source.value), { noun: 'a file' })
  return found?.hint
}

t.test('a value of a wrong type is told the form of a right one', t => {
  for (const [line, hint] of [
    ['tags: self', 'Write a list: `tags: [self]`. Words.'],
    ['tags: { a: 1 }', 'Write a list: each item on a line of its own after `- `. Words.'],
    ['limit: 5', 'Write members as `name: value`, each on an indented line of its own.'],
    ['limit: [5]', 'Write members as `name: value`, each on an indented line of its own.'],
    ['title: [a, b]', 'Write one text, such as `title: "a text"`.'],
    ['title: 5', 'Quote the value.'],
    ['count: "5"', 'Remove the quotes.'],
    ['count: many', 'Write a number in digits, without quotes.'],
    ['count: 1.5', 'Write a whole number, without a point.'],
    ['open: maybe', 'Write `true` or `false`, without quotes.']
  ] as const)
    t.equal(hintOf(line), hint, line)
  t.end()
})
