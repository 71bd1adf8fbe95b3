/** What a line may not say again: a price, a link or a picture is recognised by its form, as in sources. */
import { withheldByForm } from '../import/withheld.ts'

/** A number with one or two decimals, in any script. */
const decimals = /(?<![\p{L}\p{N}.,])\p{Nd}+[.,٫．，]\p{Nd}{1,2}(?![\p{L}\p{N}.,])/u

/** Whether a value has the form of a price, a link, a picture or markup. */
export const isHeldBack = (value: string): boolean => decimals.test(value) || withheldByForm(value) !== undefined

/**
 * Whether a line of text has cells as a row of a table does, of which nobody knows the names: a delimiter that is not
 * followed by a space, or a cell that is a number.
 */
export const hasCells = (text: string): boolean => /[;\t|]|,(?=\S)|,\s*\p{Nd}[\p{Nd}.]*\s*(?:,|$)/u.test(text)

/** Why a line is not read. */
export const heldBack = 'It may have a price or a link, or be a row of a table: write the card alone.'
