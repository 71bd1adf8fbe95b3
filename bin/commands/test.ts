import { choice, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { FindingsError } from '../output/exit.ts'
import { count, print, printJson } from '../output/io.ts'

const formats = ['text', 'json'] as const

export const test = defineCommand<[], RootOptions & { format: typeof formats[number] }>({
  name: 'test',
  summary: 'Run the examples and promises of the service.',
  description: [
    'Serves the roots on a free port, with a new database where they need one, and checks what every service promises its callers.',
    'Those are its examples, the envelope, links, discovery documents, OpenAPI, and words for bad input.'
  ],
  options: [rootOption(), choice('--format <format>', 'Form of the result.', formats, 'text')],
  examples: [
    ['pantry test', 'Check the project.'],
    ['pantry test --root ./library --format json', 'Check another root, for other tools.']
  ],
  exits: { 1: 'A promise is broken, or the manifests have errors.', 3: 'The database cannot be used.' },
  async run (_args, { root, format }, io) {
    const { MistakesError, promised, whileServed } = await import('../promises/index.ts')
    const results = await whileServed({ roots: root, env: io.env, stderr: io.stderr }, async subject => {
      const found: { promise: string, broken: readonly string[] }[] = []
      for (const { name, broken } of promised) found.push({ promise: name, broken: await broken(subject) })
      return found
    }).catch((error: unknown) => { throw error instanceof MistakesError ? new FindingsError(error.message) : error })
    const failed = results.filter(({ broken }) => broken.length > 0).length
    if (format === 'json') printJson(io.stdout, results)
    else print(io.stdout, results.map(({ promise, broken }) => [`${broken.length === 0 ? 'kept  ' : 'broken'}  ${promise}`, ...broken.map(text => `        ${text}`)].join('\n')).join('\n'))
    print(io.stderr, `${count(results.length - failed, 'promise')} kept, ${failed} broken`)
    return failed === 0 ? 0 : 1
  }
})
