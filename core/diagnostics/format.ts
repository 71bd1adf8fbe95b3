import { catalog, type DiagnosticCode } from './catalog.ts'
import type { Diagnostic } from './diagnostic.ts'

export const diagnosticFormats = ['pretty', 'json', 'github', 'sarif'] as const
export type DiagnosticFormat = (typeof diagnosticFormats)[number]

const maxFrameWidth = 120

/**
 * Returns the line of a diagnostic with carets below its span. A line of more than 120 characters is cut around the
 * span.
 */
function codeFrame({ frame, span }: Diagnostic): string[] {
  if (frame === undefined) return []
  const start = frame.length <= maxFrameWidth ? 0 : Math.max(0, span.column - 1 - 40)
  const line = frame.slice(start, start + maxFrameWidth)
  const before = line.slice(0, span.column - 1 - start)
  const carets = '^'.repeat(Math.max(1, Math.min(span.length, line.length - before.length)))
  const gutter = ' '.repeat(String(span.line).length)
  // Tabs are kept, so that the caret is below its character with any tab width.
  return [`${gutter} |`, `${span.line} | ${line}`, `${gutter} | ${before.replaceAll(/[^\t]/g, ' ')}${carets}`]
}

function pretty(diagnostic: Diagnostic): string {
  const { code, severity, file, span, message, hint } = diagnostic
  const gutter = ' '.repeat(String(span.line).length)
  return [
    `${file}:${span.line}:${span.column}: ${severity}[${code}]: ${message}`,
    ...codeFrame(diagnostic),
    ...(hint === undefined ? [] : [`${gutter} = ${hint}`])
  ].join('\n')
}

/**
 * Percent-encodes the characters that have a meaning in a GitHub workflow command; `escapeProperty` those in its
 * properties.
 */
const escapeData = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

const textOf = ({ message, hint }: Diagnostic): string => (hint === undefined ? message : `${message} ${hint}`)

function github(diagnostic: Diagnostic): string {
  const { code, severity, file, span } = diagnostic
  const place = `file=${escapeProperty(file)},line=${span.line},col=${span.column}`
  return `::${severity} ${place},title=${code}::${escapeData(textOf(diagnostic))}`
}

/** The semantic version of the tool, and an absolute URI that explains its rules. */
type ReportingTool = Readonly<{ version: string; informationUri: string | undefined }>

/** Returns the diagnostics as SARIF 2.1.0 (OASIS), for code scanners. */
function sarif(diagnostics: readonly Diagnostic[], tool: ReportingTool | undefined): string {
  const codes = [...new Set(diagnostics.map(one => one.code))].sort()
  const rule = (code: DiagnosticCode): object => ({
    id: code,
    shortDescription: { text: catalog[code].title },
    fullDescription: { text: catalog[code].explain }
  })
  const result = (diagnostic: Diagnostic): object => {
    const { code, severity, file, span } = diagnostic
    const physicalLocation = {
      artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/') },
      region: { startLine: span.line, startColumn: span.column, endColumn: span.column + span.length }
    }
    return { ruleId: code, level: severity, message: { text: textOf(diagnostic) }, locations: [{ physicalLocation }] }
  }
  const driver = {
    name: 'pantry',
    semanticVersion: tool?.version,
    informationUri: tool?.informationUri,
    rules: codes.map(rule)
  }
  const run = { tool: { driver }, columnKind: 'utf16CodeUnits', results: diagnostics.map(result) }
  const report = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
  return JSON.stringify(report, null, 2)
}

/** Returns all diagnostics in one format, without a newline at the end. Only SARIF contains the tool. */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  format: DiagnosticFormat,
  tool?: ReportingTool
): string {
  switch (format) {
    case 'pretty':
      return diagnostics.map(pretty).join('\n\n')
    case 'github':
      return diagnostics.map(github).join('\n')
    case 'json':
      return JSON.stringify(diagnostics, null, 2)
    case 'sarif':
      return sarif(diagnostics, tool)
  }
}
