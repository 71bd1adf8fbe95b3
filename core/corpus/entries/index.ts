import { csvTable } from './csv.ts'
import type { EntryForm } from './form.ts'
import { jsonLines, jsonList } from './json.ts'
import { markdownFile } from './markdown.ts'
import { yamlFile, yamlList } from './yaml.ts'

/**
 * All file formats of entries. The name of a file decides. A corpus has its entries either in one file or in
 * `entries/`.
 */
export const entryForms: readonly EntryForm[] = [yamlList, csvTable, jsonList, jsonLines, yamlFile, markdownFile]
