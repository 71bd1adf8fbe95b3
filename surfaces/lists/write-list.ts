import { csvRow } from 'pantry/data'
import { sections, tableForms, textForms, writeValue, type FormId, type Section, type TableForm } from './forms.ts'
import { writeText, type ListLine } from './list-text.ts'

/** A list in one form, as a file. */
type WrittenList = Readonly<{
  form: FormId
  file_name: string
  media_type: string
  text: string
  /** The lines that the form has no place for. */
  left_out: readonly number[]
}>

function writeTable(form: TableForm, lines: readonly ListLine[]): string {
  const rows = lines.map(line =>
    form.columns.map(([, field]) => (field === 'count' ? line.count : writeValue(form, field, line[field]) || null))
  )
  return [form.columns.map(([head]) => head), ...rows].map(csvRow).join('')
}

/** Writes lines of text with a heading before each section, if any line has one. */
function writeLines(lines: readonly Readonly<{ section: string | null; text: string }>[]): string {
  const hasSections = lines.some(({ section }) => section !== null)
  return lines
    .map(({ section, text }, index) => {
      const own = section ?? 'main'
      const isNew = hasSections && own !== (index === 0 ? undefined : (lines[index - 1]?.section ?? 'main'))
      return `${isNew ? `${index === 0 ? '' : '\n'}${sections[own as Section][0]}\n` : ''}${text}\n`
    })
    .join('')
}

/** Writes a list in a form. What the form has no column or place for is not written. */
export function writeList(id: FormId, lines: readonly ListLine[]): WrittenList {
  const table = (tableForms as readonly TableForm[]).find(form => form.id === id)
  if (table !== undefined)
    return {
      form: id,
      file_name: `cards-${id}.csv`,
      media_type: 'text/csv',
      text: writeTable(table, lines),
      left_out: []
    }
  const form = textForms.find(one => one.id === id)?.id ?? 'text'
  const written = lines.map(line => ({ line: line.line, section: line.section, text: writeText[form](line) }))
  return {
    form: id,
    file_name: `cards-${id}.txt`,
    media_type: 'text/plain',
    text: writeLines(
      written.flatMap(({ section, text }) =>
        text === undefined ? [] : [{ section: form === 'simulator' ? null : section, text }]
      )
    ),
    left_out: written.flatMap(({ line, text }) => (text === undefined ? [line] : []))
  }
}
