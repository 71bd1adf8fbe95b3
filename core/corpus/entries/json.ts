import { deepFreeze, type JsonValue } from '../../canonical/json.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import {
  cutItems,
  cutLines,
  placeOf,
  readRecord,
  reportCut,
  shiftSpan,
  type Cut,
  type CutProblem,
  type RecordPlace
} from '../../source/records.ts'
import { filePieces, type FolderFile } from '../../source/read-folder.ts'
import { readYaml } from '../../source/read-yaml.ts'
import { parseStrictJson } from '../../source/strict-json.ts'
import { fileStart, unreadText } from '../../source/report.ts'
import type { EntryForm, SourceEntry, ValuePlace } from '../loaded.ts'

/** Returns the place of an entry. The YAML reader locates values in it, because JSON is also YAML 1.2. */
function placeIn(file: FolderFile, value: JsonValue, at: RecordPlace): ValuePlace {
  const { text, lineAt } = readRecord(file.real, at)
  const { locate } = readYaml(file.path, Buffer.from(text))
  const source = unreadText(file.path, fileStart, lineAt)
  return { source: { ...source, value, locate: (pointer, on) => shiftSpan(at, locate(pointer, on)) }, pointer: [] }
}

function readCut(file: FolderFile, cut: Cut | CutProblem): SourceEntry | Diagnostic {
  if ('code' in cut) return reportCut(file, cut)
  const parsed = parseStrictJson(cut.bytes)
  const at = placeOf(cut)
  if (parsed.ok)
    return { value: deepFreeze(parsed.value), file: file.path, place: () => placeIn(file, parsed.value, at) }
  const before = cut.bytes.toString('utf8', 0, parsed.offset).split('\n')
  const span = shiftSpan(cut, { line: before.length, column: (before.at(-1) ?? '').length + 1, length: 1 })
  const hint = 'An entry is one JSON value (RFC 8259).'
  return reportCut(file, { ...at, code: 'M118', message: parsed.message, hint }, at.to, span)
}

export const jsonList: EntryForm = {
  shown: 'entries.json',
  name: /^entries\.json$/,
  *read(file) {
    for (const cut of cutItems(filePieces(file.real))) yield readCut(file, cut)
  }
}

/** Yields each line of a cut of complete lines that has more than spaces and control characters. */
function* linesOf(lines: Cut): Generator<Cut> {
  let line = lines.line
  for (let at = 0; at < lines.bytes.length; line++) {
    const end = lines.bytes.indexOf(0x0a, at)
    const bytes = lines.bytes.subarray(at, end === -1 ? undefined : end)
    const from = lines.from + at
    if (bytes.some(byte => byte > 0x20)) yield { bytes, from, lineFrom: from, line, column: 1 }
    at += bytes.length + 1
  }
}

export const jsonLines: EntryForm = {
  shown: 'entries.jsonl',
  name: /^entries\.jsonl$/,
  *read(file) {
    for (const cut of cutLines(filePieces(file.real))) {
      if ('code' in cut) yield reportCut(file, cut)
      else for (const line of linesOf(cut)) yield readCut(file, line)
    }
  }
}
