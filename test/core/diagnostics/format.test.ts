import t from 'tap'
import { hasErrors, sortDiagnostics, type Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { formatDiagnostics } from '../../../core/diagnostics/format.ts'

const unknown: Diagnostic = {
  code: 'M402',
  severity: 'error',
  file: 'manifests/gaps.yaml',
  span: { line: 7, column: 9, length: 3 },
  message: 'There is no corpus `gap`.',
  hint: 'Did you mean `gaps`?',
  frame: 'corpus: gap'
}
const unused: Diagnostic = {
  code: 'C302',
  severity: 'warning',
  file: 'corpora/a, b/corpus.yaml',
  span: { line: 1, column: 1, length: 1 },
  message: '100%\nunused'
}

t.test('pretty has the message, the marked line and the hint', t => {
  t.equal(
    formatDiagnostics([unknown], 'pretty'),
    [
      'manifests/gaps.yaml:7:9: error[M402]: There is no corpus `gap`.',
      '  |',
      '7 | corpus: gap',
      '  |         ^^^',
      '  = Did you mean `gaps`?'
    ].join('\n')
  )
  t.equal(formatDiagnostics([], 'pretty'), '')
  t.end()
})

t.test('a long line is cut around its mark, and a tab keeps its width', t => {
  const long = formatDiagnostics(
    [{ ...unknown, span: { line: 1, column: 301, length: 4 }, frame: `${'a'.repeat(300)}here${'b'.repeat(300)}` }],
    'pretty'
  ).split('\n')
  t.ok((long[2] ?? '').length <= 124)
  t.equal((long[2] ?? '').indexOf('here'), (long[3] ?? '').indexOf('^^^^'))
  const tabbed = formatDiagnostics(
    [{ ...unknown, span: { line: 1, column: 2, length: 1 }, frame: '\ta' }],
    'pretty'
  ).split('\n')
  t.equal(tabbed[3], '  | \t^')
  t.end()
})

t.test('github escapes what its command syntax uses', t => {
  t.equal(
    formatDiagnostics([unknown], 'github'),
    '::error file=manifests/gaps.yaml,line=7,col=9,title=M402::There is no corpus `gap`. Did you mean `gaps`?'
  )
  t.equal(
    formatDiagnostics([unused], 'github'),
    '::warning file=corpora/a%2C b/corpus.yaml,line=1,col=1,title=C302::100%25%0Aunused'
  )
  t.end()
})

t.test('json and sarif can be read again', t => {
  t.same(JSON.parse(formatDiagnostics([unknown], 'json')), [unknown])
  const {
    version,
    runs: [run]
  } = JSON.parse(formatDiagnostics([unknown, unused], 'sarif')) as {
    version: string
    runs: [{ tool: { driver: { rules: { id: string }[] } }; results: unknown[] }]
  }
  t.equal(version, '2.1.0')
  t.same(
    run.tool.driver.rules.map(rule => rule.id),
    ['C302', 'M402']
  )
  t.match(run.results[0], {
    ruleId: 'M402',
    level: 'error',
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'manifests/gaps.yaml' },
          region: { startLine: 7, startColumn: 9, endColumn: 12 }
        }
      }
    ]
  })
  t.end()
})

t.test('sorted by file, place and code', t => {
  const at = (file: string, line: number, column: number): Diagnostic => ({
    ...unknown,
    file,
    span: { line, column, length: 1 }
  })
  const sorted = sortDiagnostics([at('b', 1, 1), at('a', 10, 1), at('a', 9, 5), at('a', 9, 1)])
  t.same(
    sorted.map(({ file, span }) => [file, span.line, span.column]),
    [
      ['a', 9, 1],
      ['a', 9, 5],
      ['a', 10, 1],
      ['b', 1, 1]
    ]
  )
  t.equal(hasErrors([unused]), false)
  t.equal(hasErrors([unused, unknown]), true)
  t.end()
})
