import { Argument } from 'commander'
import { choice, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { impacts, isAtLeast, type Change, type Impact } from '../diff/change.ts'
import { count, print } from '../io.ts'
import { table } from '../table.ts'

const formats = ['table', 'json', 'md'] as const

type Options = RootOptions & { format: (typeof formats)[number]; failOn?: Impact }

const titles: Readonly<Record<Impact, string>> = {
  breaking: 'Breaking',
  additive: 'Additive',
  documentation: 'Documentation'
}

function render(changes: readonly Change[], format: Options['format']): string {
  switch (format) {
    case 'json':
      return JSON.stringify(changes, null, 2)
    case 'table':
      return changes.length === 0
        ? ''
        : table(
            ['IMPACT', 'SUBJECT', 'CHANGE'],
            changes.map(({ impact, subject, message }) => [impact, subject, message])
          )
    case 'md':
      return impacts
        .map(impact => ({
          impact,
          lines: changes
            .filter(change => change.impact === impact)
            .map(({ subject, message }) => `- \`${subject}\`: ${message}`)
        }))
        .filter(({ lines }) => lines.length > 0)
        .map(({ impact, lines }) => `## ${titles[impact]}\n\n${lines.join('\n')}\n`)
        .join('\n')
  }
}

export const diff = defineCommand<[base: string, head: string | undefined], Options>({
  name: 'diff',
  group: 'look',
  summary: 'Compare two registries.',
  description: [
    'Lists what changed for clients between two states, rated breaking, additive or documentation, as the changelog does.',
    'A state is a root folder, or a git revision of the root; schemas of handlers are compared between folders alone.'
  ],
  arguments: [
    new Argument('<base>', 'The earlier state: a root folder or a git revision.'),
    new Argument('[head]', 'The later state. Default: the roots as they are now.')
  ],
  options: [
    rootOption(),
    choice('--format <format>', 'Form of the list.', formats, 'table'),
    choice('--fail-on <impact>', 'Exit with 1 when a change is this grave or graver.', impacts)
  ],
  examples: [
    ['pantry diff HEAD', 'What the uncommitted edits change.'],
    ['pantry diff v1.0.0 --fail-on breaking', 'Refuse a breaking change in a build.'],
    ['pantry diff ../release . --format md', 'Two folders, as text for the release notes.']
  ],
  exits: {
    1: 'There are changes as grave as --fail-on names, or the manifests have errors.',
    2: 'Wrong usage, or a state that cannot be read.'
  },
  async run([base, head], options, io) {
    const { readSide, compareRegistries } = await import('../diff/registries.ts')
    const { requireRegistry } = await import('../read-registry.ts')
    const earlier = await readSide(base, options.root, io)
    const later =
      head === undefined ? (await requireRegistry(options.root, io)).registry : await readSide(head, options.root, io)
    const changes = compareRegistries(earlier, later)
    print(io.stdout, render(changes, options.format))
    print(
      io.stderr,
      impacts.map(impact => `${changes.filter(change => change.impact === impact).length} ${impact}`).join(', ') +
        ` (${count(changes.length, 'change')})`
    )
    const { failOn } = options
    return failOn !== undefined && changes.some(({ impact }) => isAtLeast(impact, failOn)) ? 1 : 0
  }
})
