import type { JsonValue } from '../../canonical/json.ts'
import { readYaml } from '../../source/read-yaml.ts'
import { report } from '../../source/report.ts'
import type { EntryForm } from './form.ts'

/** Entries as one YAML list. */
export const yamlList: EntryForm = {
  shown: 'entries.yaml',
  name: /^entries\.yaml$/,
  *read({ path, bytes }) {
    const source = readYaml(path, bytes)
    yield* source.diagnostics
    if (source.value === undefined) return
    if (!Array.isArray(source.value)) {
      yield report(source, 'C201', [], `\`${path.slice(path.lastIndexOf('/') + 1)}\` must be a list of entries.`, {
        hint: 'Start each entry with `- `.'
      })
      return
    }
    for (const [index, value] of (source.value as readonly JsonValue[]).entries())
      yield { value, file: path, place: () => ({ source, pointer: [index] }) }
  }
}

/** One YAML file per entry, with the key as its name. */
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
