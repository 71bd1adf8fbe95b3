import { isObject, type JsonValue } from '../../canonical/json.ts'
import { decodeText } from '../../source/decode-text.ts'
import { readYaml } from '../../source/read-yaml.ts'
import { report, unreadText, type SourceFile } from '../../source/report.ts'
import type { EntryForm } from '../loaded.ts'

export const yamlList: EntryForm = {
  shown: 'entries.yaml',
  name: /^entries\.yaml$/,
  *read({ path, bytes }) {
    const source = readYaml(path, bytes)
    yield* source.diagnostics
    if (source.value === undefined) return
    if (!Array.isArray(source.value)) {
      const message = `\`${path.slice(path.lastIndexOf('/') + 1)}\` must be a list of entries.`
      return yield* [report(source, 'C201', [], message, { hint: 'Start each entry with `- `.' })]
    }
    for (const [index, value] of (source.value as readonly JsonValue[]).entries())
      yield { value, file: path, place: () => ({ source, pointer: [index] }) }
  }
}

export const yamlFile: EntryForm = {
  shown: 'entries/<key>.yaml',
  name: /^entries\/[^/]+\.yaml$/,
  *read({ path, name, bytes }) {
    const source = readYaml(path, bytes)
    yield* source.diagnostics
    if (source.value !== undefined)
      yield {
        value: source.value,
        file: path,
        place: () => ({ source, pointer: [] }),
        fileName: name.slice('entries/'.length, -'.yaml'.length)
      }
  }
}

const isFence = (line: string): boolean => /^---[ \t]*$/.test(line)

/** Markdown: YAML between two lines `---` has the fields; the text below is the field that `roles.text` names. */
export const markdownFile: EntryForm = {
  shown: 'entries/<key>.md',
  name: /^entries\/[^/]+\.md$/,
  *read({ path, name, bytes }, { declaration }) {
    const field = declaration.roles?.text
    // A missing `roles.text` is reported once, in `corpus.yaml`.
    if (field === undefined) return
    const { text, problem } = decodeText(bytes)
    if (problem !== undefined) return yield* readYaml(path, bytes).diagnostics
    const lines = text.split(/\r?\n/)
    const lineAt = (line: number): string => lines[line - 1] ?? ''
    const last = lines.findIndex((line, index) => index > 0 && isFence(line))
    if (!isFence(lineAt(1)) || last === -1) {
      const start = unreadText(path, { line: 1, column: 1, length: 3 }, lineAt)
      const hint = 'Write the fields as YAML between two lines `---` at the top, the text below.'
      return yield* [report(start, 'M120', [], 'The file does not begin with its fields.', { hint })]
    }
    // The first line `---` is kept, so that line numbers stay correct; a YAML document may begin with it.
    const front = readYaml(path, Buffer.from(lines.slice(0, last).join('\n')))
    yield* front.diagnostics
    const fields = front.value
    if (fields === undefined) return
    if (isObject(fields) && Object.hasOwn(fields, field)) {
      const message = `\`${field}\` is the text below the fields, so no field gives it.`
      return yield* [report(front, 'C210', [field], message, { on: 'key', hint: 'Remove it.' })]
    }
    const body = lines
      .slice(last + 1)
      .join('\n')
      .trim()
    const line = lines.findIndex((one, index) => index > last && one.trim() !== '') + 1
    const value = body === '' || !isObject(fields) ? fields : Object.freeze({ ...fields, [field]: body })
    const locate: SourceFile['locate'] = (pointer, on) =>
      pointer[0] === field && line > 0 ? { line, column: 1, length: lineAt(line).length } : front.locate(pointer, on)
    yield {
      value,
      file: path,
      place: () => ({ source: { ...front, value, lineAt, locate }, pointer: [] }),
      fileName: name.slice('entries/'.length, -'.md'.length)
    }
  }
}
