import { csvTable } from './csv.ts'
import type { EntryForm } from './form.ts'
import { jsonLines, jsonList } from './json.ts'
import { markdownFile } from './markdown.ts'
import { yamlFile, yamlList } from './yaml.ts'

/** Every way to write entries: the ending of a file decides. A corpus keeps to one file, or to `entries/`. */
export const entryForms: readonly EntryForm[] = [yamlList, csvTable, jsonList, jsonLines, yamlFile, markdownFile]
