import type { Finished } from './pool.ts'
import type { Failure } from './worker.ts'

export type Reporter = Readonly<{
  start: (files: number) => void
  file: (outcome: Finished) => void
  end: (all: readonly Finished[], ms: number) => void
}>

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const sum = (all: readonly Finished[], member: 'pass' | 'fail' | 'todo'): number =>
  all.reduce((total, outcome) => total + outcome[member], 0)
const indent = (text: string, by: string): string => text.replace(/^(?=.)/gm, by)

/** Diagnostics of tap that have a place of their own below, or that say nothing new. */
const shownApart = new Set(['diff', 'at', 'stack', 'source', 'compare'])

/** A failure as a person reads it: its name, where it is in the source, and what was found instead of what. */
function described({ name, diagnostics }: Failure): string {
  const given = (diagnostics ?? {}) as Record<string, unknown>
  const { diff, at, stack, source } = given
  const place = at as { fileName?: string; lineNumber?: number } | undefined
  const where =
    place?.fileName === undefined
      ? ''
      : `at ${place.fileName.replace(/^\.test\//, '').replace(/\.js$/, '.ts')}:${place.lineNumber ?? ''}`
  const trace = typeof stack === 'string' ? stack.replaceAll(/\.test\/(\S+?)\.js:/g, '$1.ts:').trimEnd() : ''
  const code = typeof source === 'string' ? source.trimEnd() : ''
  const difference = typeof diff === 'string' ? diff.trimEnd() : ''
  // What a test adds, such as what a program printed, is read as it was printed.
  const facts = Object.entries(given)
    .filter(([member]) => !shownApart.has(member))
    .map(([member, value]) => `${member}: ${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`)
    .join('\n')
  return [name, indent([where, code, difference, facts, trace].filter(part => part !== '').join('\n'), '  ')].join('\n')
}

/** For people: a line for each file, then what failed, what was skipped and why, and what took long. */
const lines = (write: (text: string) => void): Reporter => ({
  start: files => {
    write(`${files} files\n`)
  },
  file: ({ file, pass, fail, ms, failures }) => {
    write(
      `${fail === 0 ? 'ok    ' : 'FAILED'} ${file}  ${pass}${fail === 0 ? '' : `, ${fail} failed`}  ${seconds(ms)}\n`
    )
    for (const failure of failures) write(`${indent(described(failure), '    ')}\n`)
  },
  end: (all, ms) => {
    const skips = all.flatMap(outcome => outcome.skips)
    const failed = all.filter(({ fail }) => fail > 0)
    const slow = all.toSorted((a, b) => b.ms - a.ms).slice(0, 5)
    if (skips.length > 0) write(`\nskipped:\n${skips.map(line => `  ${line}\n`).join('')}`)
    if (all.length > 20)
      write(`\nslowest: ${slow.map(outcome => `${outcome.file} ${seconds(outcome.ms)}`).join(', ')}\n`)
    if (failed.length > 0)
      write(
        `\nfailed:\n${failed.map(outcome => `  ${outcome.file}: ${outcome.failures.map(({ name }) => name.replace(`${outcome.file} > `, '')).join('; ')}\n`).join('')}`
      )
    write(
      `\n${sum(all, 'pass')} passed, ${sum(all, 'fail')} failed, ${skips.length} skipped; ${all.length} files in ${seconds(ms)}\n`
    )
  }
})

/** For programs: TAP 14, one test point for each file. */
function tap(write: (text: string) => void): Reporter {
  let count = 0
  return {
    start: files => {
      write(`TAP version 14\n1..${files}\n`)
    },
    file: ({ file, pass, fail, ms, failures, skips }) => {
      count += 1
      for (const skip of skips) write(`    # SKIP ${skip}\n`)
      for (const failure of failures)
        write(`    not ok - ${described(failure).replaceAll('#', '\\#').replaceAll('\n', '\n    # ')}\n`)
      write(`${fail === 0 ? 'ok' : 'not ok'} ${count} - ${file} # time=${ms}ms ${pass} passed\n`)
    },
    end: (all, ms) => {
      write(
        `# { total: ${sum(all, 'pass') + sum(all, 'fail')}, pass: ${sum(all, 'pass')}, fail: ${sum(all, 'fail')} }\n# time=${Math.round(ms)}ms\n`
      )
    }
  }
}

export const reporters = { lines, tap } as const
