import { catalog, type DiagnosticCode } from '../diagnostics/catalog.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { fileStart, type Pointer, type SourceFile } from './source-file.ts'

/** Returns a diagnostic at the value (or the key) that a pointer names in a file, with its code frame. */
export function report(
  source: SourceFile,
  code: DiagnosticCode,
  pointer: Pointer,
  message: string,
  more: { on?: 'key' | 'value'; hint?: string | undefined } = {}
): Diagnostic {
  const span = source.locate(pointer, more.on)
  const frame = source.lineAt(span.line)
  return {
    code,
    severity: catalog[code].severity,
    file: source.file,
    span,
    message,
    ...(more.hint === undefined ? {} : { hint: more.hint }),
    ...(frame === '' ? {} : { frame })
  }
}

/** Returns a diagnostic about a whole file or folder, without a code frame. */
export const reportFile = (file: string, code: DiagnosticCode, message: string, hint?: string): Diagnostic => ({
  code,
  severity: catalog[code].severity,
  file,
  span: fileStart,
  message,
  ...(hint === undefined ? {} : { hint })
})
