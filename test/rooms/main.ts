/** `npm run rooms`: how large the source is, and what a request goes through. See --help. */
import { parseArgs } from 'node:util'
import { table } from '../../bin/table.ts'
import { packageFolder } from '../../bin/project.ts'
import { readSource } from '../support/source-code.ts'
import { commentList, drawComments } from './comments.ts'
import { against, figuresOf, textOf } from './figures.ts'
import { tops } from './sizes.ts'
import { walk, ways } from './walks.ts'

const help = `npm run rooms -- [--json]
npm run rooms -- --walk NAME[,NAME…] [--json]
npm run rooms -- --comments N [--seed S] [--json]

Counts the TypeScript (.ts, .tsx) of core, surfaces and bin, and of each folder directly below: files, lines and bytes.
A line of more than 120 columns counts as the lines that it would take. Below are the totals beside what they should be
at most, the files over 20 KB (of 1,024 bytes), and the circles of imports: a circle is a largest group of files, or of
folders of the table, that reach each other. Imports that run are all but \`import type\`; \`pantry/handler\` is the file
of its door. Nothing is judged: it ends with 0 while a total is too large, and with 1 when something cannot be read.

--walk      serves the project in this process, over a database of its own with the bundled cards, and prints the files
            of the source whose functions ran for a request. A first request loads what is loaded once; then the same is
            asked three times, of another thing each time, and what ran in all three is listed.
--comments  draws so many comments, whole and with their places, half of them from core, as a list in Markdown: read each
            beside its code, and note those that say nothing, or something that is not so.
--seed      of the draw; without it, one by chance. It is printed, and draws the same from the same source.
--json      prints the same for scripts: all members of a circle, each file of a walk, each comment.

${table(
  ['walk', 'request', 'files at most'],
  [
    ...Object.entries(ways).map(([name, { about, most }]) => [name, about, String(most ?? '')]),
    ['all', 'each of them', '']
  ]
)}
`

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        walk: { type: 'string' },
        comments: { type: 'string' },
        seed: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false }
      }
    })
    if (values.help) {
      process.stdout.write(help)
      process.exit(0)
    }
    const names = values.walk === 'all' ? Object.keys(ways) : values.walk?.split(',')
    const unknown = names?.find(name => !(name in ways))
    if (unknown !== undefined) throw new Error(`There is no walk \`${unknown}\`.`)
    const whole = (name: 'comments' | 'seed'): number | undefined => {
      const text = values[name]
      if (text !== undefined && !/^\d+$/.test(text))
        throw new Error(`--${name} must be a whole number, but it is \`${text}\`.`)
      return text === undefined ? undefined : Number(text)
    }
    if (names !== undefined && values.comments !== undefined) throw new Error('Give --walk or --comments, not both.')
    if (values.seed !== undefined && values.comments === undefined) throw new Error('--seed belongs to --comments.')
    return { names, count: whole('comments'), seed: whole('seed') ?? Date.now() % 1_000_000, json: values.json }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}`)
    return process.exit(2)
  }
}

const { names, count, seed, json } = readOptions()
const print = (found: object, text: () => string): void => {
  process.stdout.write(`${json ? JSON.stringify(found) : text()}\n`)
}

if (names !== undefined) {
  const walks = await walk(names)
  print(walks, () =>
    [
      ...walks.flatMap(({ about, files }) => [`${about}:`, ...files.map(file => `  ${file}`), '']),
      table(
        ['request', 'files', 'at most', 'reached'],
        walks.map(({ about, most, files }) => [about, ...against(files.length, most)])
      )
    ].join('\n')
  )
} else {
  const source = readSource(packageFolder, tops)
  if (count === undefined) {
    const figures = figuresOf(source)
    print(figures, () => textOf(figures))
  } else {
    const comments = drawComments(source, count, seed)
    print({ seed, comments }, () => commentList(comments, seed))
  }
}
