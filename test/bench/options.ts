import { parseArgs } from 'node:util'
import { scenarios } from './scenarios.ts'

/** What is measured beside requests, each by a way of its own. */
const parts = {
  start: 'warm starts and `pantry validate`, in units of `node -e 0`',
  memory: 'memory after a start, idle, and after 20,000 query strings, beside Fastify',
  import: 'permuted real rows into an empty database, twice, beside a bare COPY of them; only when named',
  scale:
    'Pantry alone with catalogues of 12 thousand, 72 thousand and 1 million cards, questions at random; only when named'
} as const
export type Part = keyof typeof parts

const listed = (entries: Iterable<readonly [string, string]>): string =>
  [...entries].map(([name, about]) => `  ${name.padEnd(14)} ${about}`).join('\n')

const help = `npm run bench -- [--only NAME,NAME…] [--rounds 7] [--json FILE] [--svg FILE]

Measures what a request costs Pantry, beside bare node:http, Koa and Fastify doing the same work, and beside other requests to Pantry itself.
In each round every server is a fresh process on one core, asked from another; the scenarios come at random, and who is compared takes turns.

What is compared is processor time, because rates depend on whoever else uses the machine: "x fastify 3.00" means that Fastify needs three
times Pantry's processor time for the same request. Ratios are made inside a round; the table shows the median and [smallest..largest].
A sample is dirty when the server or the client waited for a core, or the host gave it to others: it is measured again up to --repeats times,
and what remains dirty is marked. A table line is: scenario, figure, goal, median [min..max], met, details; two spaces separate columns.

--only NAME,NAME…   some of the names below; without it all but those that say otherwise
--rounds N          7; for \`memory\` at most 3
--seconds N         0.3: of one sample, of which a round has two; --warm N (0.5): before the first
--connections N     64, where a scenario has no number of its own
--repeats N         1
--json FILE         writes every figure with the values of all rounds
--svg FILE          draws the comparisons with bare Node and Fastify
--record            writes docs/bench.json and docs/bench.svg, and says in the README when and where it was
--short             one round of short samples, which says nothing of speed: only whether everything runs and all answers are equal
--picture FILE      measures nothing: draws the --svg from an earlier --json
--rows N            100000, for \`import\`
--data-dir FOLDER   keeps the catalogues of \`scale\` (7 GB) for the next run; filling them takes minutes

Requests:
${listed(scenarios.map(({ name, about }) => [name, about]))}

Others:
${listed(Object.entries(parts))}

The run that the README shows: npm run bench -- --record
`

const words = {
  only: { type: 'string' },
  rounds: { type: 'string', default: '7' },
  seconds: { type: 'string', default: '0.3' },
  warm: { type: 'string', default: '0.5' },
  connections: { type: 'string', default: '64' },
  repeats: { type: 'string', default: '1' },
  rows: { type: 'string', default: '100000' },
  json: { type: 'string' },
  svg: { type: 'string' },
  picture: { type: 'string' },
  record: { type: 'boolean', default: false },
  short: { type: 'boolean', default: false },
  'data-dir': { type: 'string' },
  help: { type: 'boolean', default: false }
} as const

type Texts = ReturnType<typeof parseArgs<{ options: typeof words }>>['values']
export type Options = Readonly<
  Omit<Texts, 'only' | 'rounds' | 'seconds' | 'warm' | 'connections' | 'repeats' | 'rows'> &
    Record<'rounds' | 'seconds' | 'warm' | 'connections' | 'repeats' | 'rows', number> & { names: readonly string[] }
>

const refuse = (problem: string): never => {
  process.stderr.write(`${problem} See --help.\n`)
  process.exit(2)
}

const shortRun = { rounds: '1', seconds: '0.05', warm: '0.05', connections: '8', repeats: '0' }

/** What was asked for. Prints the help, or what is wrong with the words, and ends. */
export function readOptions(args: readonly string[]): Options {
  let texts: Texts
  try {
    texts = parseArgs({ options: words, args: [...args] }).values
    if (texts.short) texts = { ...texts, ...shortRun }
  } catch (error) {
    return refuse((error as Error).message)
  }
  if (texts.help) {
    process.stdout.write(help)
    process.exit(0)
  }
  const numberOf = (name: 'rounds' | 'seconds' | 'warm' | 'connections' | 'repeats' | 'rows'): number =>
    Number(texts[name]) > 0 || (name === 'repeats' && texts[name] === '0')
      ? Number(texts[name])
      : refuse(`--${name} must be a number above 0, not \`${texts[name]}\`.`)
  const known = [...scenarios.map(({ name }) => name), ...Object.keys(parts)]
  const names = texts.only?.split(',') ?? known.filter(name => name !== 'import' && name !== 'scale')
  const unknown = names.find(name => !known.includes(name))
  if (unknown !== undefined) refuse(`--only \`${unknown}\` is not one of ${known.join(', ')}.`)
  return {
    ...texts,
    names,
    rounds: numberOf('rounds'),
    seconds: numberOf('seconds'),
    warm: numberOf('warm'),
    connections: numberOf('connections'),
    repeats: numberOf('repeats'),
    rows: numberOf('rows')
  }
}
