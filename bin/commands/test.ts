import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Option } from 'commander'
import { answersFile } from '../../core/registry/recorded-answers.ts'
import { namesFile, namesText } from '../../core/registry/recorded-names.ts'
import { choice, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { count, print, printAs } from '../io.ts'

const formats = ['text', 'json'] as const

export const test = defineCommand<[], RootOptions & { format: (typeof formats)[number]; record?: true }>({
  name: 'test',
  group: 'write',
  summary: 'Run the examples and promises of the service.',
  description: [
    'Serves the roots on a free port and checks what every service promises its callers: examples, what its texts claim, the envelope, links, discovery documents, OpenAPI, words for bad input.',
    'A database that they need is a new one, which is gone afterwards; with DATABASE_URL it is made on that server, and the database named there is never written to.'
  ],
  options: [
    rootOption(),
    choice('--format <format>', 'Form of the result.', formats, 'text'),
    new Option(
      '--record',
      'Keep excerpts of what the examples answer in manifests/examples.json, for OpenAPI to show, and where there is a manifests/names.json the names of new operations; only where nothing is broken.'
    )
  ],
  examples: [
    ['pantry test', 'Check the project.'],
    ['pantry test --record', 'After a change of what is answered: check the project, and record what OpenAPI shows.'],
    ['pantry test --root ./library --format json', 'Check another root, for other tools.']
  ],
  exits: { 1: 'A promise is broken, or the manifests have errors.', 3: 'The database cannot be used.' },
  async run(_args, { root, format, record }, io) {
    const { namesToRecord } = await import('../../core/registry/operations.ts')
    const { promised, whileServed } = await import('../promises/index.ts')
    const { answersText, recordAnswers } = await import('../promises/record.ts')
    const { answers, names, results } = await whileServed(
      { roots: root, env: io.env, stderr: io.stderr },
      async subject => {
        const found: { promise: string; broken: readonly string[] }[] = []
        for (const { name, broken } of promised) found.push({ promise: name, broken: await broken(subject) })
        return {
          results: found,
          names: namesText(namesToRecord(subject.registry)),
          answers:
            record === true && found.every(({ broken }) => broken.length === 0)
              ? answersText(await recordAnswers(subject))
              : undefined
        }
      }
    )
    if (answers !== undefined) {
      const { loadRoots } = await import('../roots.ts')
      const own = (await loadRoots(root)).find(({ folder }) => existsSync(join(folder, 'manifests', 'service.yaml')))
      const folder = join(own?.folder ?? '.', 'manifests')
      writeFileSync(join(folder, answersFile), answers)
      if (existsSync(join(folder, namesFile))) writeFileSync(join(folder, namesFile), names)
    }
    const failed = results.filter(({ broken }) => broken.length > 0).length
    printAs(io.stdout, format, results, () =>
      results
        .flatMap(({ promise, broken }) => [
          `${broken.length === 0 ? 'kept  ' : 'broken'}  ${promise}`,
          ...broken.map(text => `        ${text}`)
        ])
        .join('\n')
    )
    print(io.stderr, `${count(results.length - failed, 'promise')} kept, ${failed} broken`)
    return failed === 0 ? 0 : 1
  }
})
