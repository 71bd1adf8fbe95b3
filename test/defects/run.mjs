// Puts deliberate defects into a copy of the project, one at a time, and reports which the tests catch: `npm run
// test:defects -- [id …]`. `--some N --seed S` tries N of them, others with the next seed; that each one's text is
// there is checked of all.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'

const project = resolve(import.meta.dirname, '../..')
const {
  values: { some, seed },
  positionals: wanted
} = parseArgs({ allowPositionals: true, options: { some: { type: 'string' }, seed: { type: 'string', default: '0' } } })
const all = parse(readFileSync(join(import.meta.dirname, 'defects.yaml'), 'utf8'))
const named = wanted.length === 0 ? all : all.filter(({ id }) => wanted.includes(id))
/** Those whose turn it is: as many seeds that follow each other as there are groups try all. */
const groups = some === undefined ? 1 : Math.ceil(named.length / Number(some))
const defects = named.filter((_, place) => (place + Number(seed)) % groups === 0)
const notCopied = new Set(['node_modules', '.git', '.tap', '.test', '.pantry', 'dist'])

const copy = mkdtempSync(join(tmpdir(), 'pantry-defects-'))
process.on('exit', () => {
  rmSync(copy, { recursive: true, force: true })
})
cpSync(project, copy, { recursive: true, filter: path => !notCopied.has(basename(path)) })
symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))

/** Runs test files in the copy: whether they passed, and what they said. */
function run(tests) {
  for (const args of [['test/run/compile.mjs'], ['.test/test/run/main.js', ...tests]]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: copy,
      encoding: 'utf8',
      maxBuffer: 2 ** 28
    })
    if (status !== 0) return { passed: false, said: stdout + stderr }
  }
  return { passed: true, said: '' }
}

const isLong = test => test.endsWith('.ts') && readFileSync(join(copy, test), 'utf8').startsWith('// test: long')
const problems = all.flatMap(({ id, tier, file, find, tests }) => [
  ...(readFileSync(join(copy, file), 'utf8').split(find).length === 2
    ? []
    : [`${id}: \`${find}\` does not occur once in ${file}.`]),
  ...((tier === 'long') === tests.every(isLong) ? [] : [`${id}: the tests are not of the ${tier} tier.`])
])
if (problems.length > 0) {
  process.stdout.write(`${problems.join('\n')}\n`)
  process.exit(1)
}

const sound = run([...new Set(defects.flatMap(({ tests }) => tests))])
if (!sound.passed) {
  process.stdout.write(`The tests fail without any defect:\n${sound.said.slice(-4000)}\n`)
  process.exit(1)
}

const missed = []
for (const { id, breaks, file, find, replace, tests } of defects) {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.split(find).join(replace))
  const { passed, said } = run(tests)
  writeFileSync(path, text)
  if (passed) missed.push(id)
  // A defect that keeps the program from being read at all would prove nothing.
  const by =
    /^ {4}(test\/\S+ > .*)$/m.exec(said)?.[1] ?? /^FAILED (.*)$/m.exec(said)?.[1] ?? said.trim().split('\n').at(-1)
  process.stdout.write(`${passed ? 'MISSED' : 'caught'}  ${id}: ${breaks}${passed ? '' : `\n        by ${by}`}\n`)
}
process.stdout.write(
  `${missed.length === 0 ? '' : `missed: ${missed.join(', ')}\n`}${defects.length - missed.length} passed, ${missed.length} failed\n`
)
process.exit(missed.length === 0 ? 0 : 1)
