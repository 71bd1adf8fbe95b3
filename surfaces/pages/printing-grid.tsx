import type { DataOf } from 'pantry/data'
import { Table, type VNode } from 'pantry/page'
import type { EverythingSchema } from '../cards/card-answers.ts'
import { cameInSentence } from '../cards/siblings.ts'
import { languageName } from '../common/words.ts'
import { CardFace } from './card-face.tsx'

type Printing = DataOf<typeof EverythingSchema>['siblings'][number]

const kinds: Readonly<Record<Printing['variant_kind'], string>> = {
  self: '',
  language: '',
  edition: 'Another edition',
  'alt-art': 'Other art',
  parallel: 'Parallel',
  'super-parallel': 'Of another set',
  promo: 'Promotional',
  reprint: 'Reprint',
  finish: 'Another finish',
  stamp: 'Stamped',
  product: 'Another product',
  unknown: 'Nothing says how it differs'
}

/** What a difference is called beside that of the language, which has a column of its own. */
const differences: Readonly<Record<Printing['differs_in'][number], string>> = {
  language: '',
  product: 'another product',
  art: 'other art',
  finish: 'another finish',
  edition: 'another edition',
  stamp: 'another stamp',
  reprint: 'a reprint',
  unknown: ''
}

/** Returns the texts that are not empty, each once. */
const each = (texts: readonly string[]): readonly string[] => [...new Set(texts.filter(text => text !== ''))]

const productOf = ({ printed_in: product }: Pick<Printing, 'printed_in'>): string =>
  product?.name ?? product?.code ?? ''

/** Says why a printing is of its kind, without its product, which its face has beside it. */
const reasonOf = ({
  variant_kind: kind,
  variant_kind_reason: reason,
  ...one
}: Pick<Printing, 'variant_kind' | 'variant_kind_reason' | 'printed_in'>): string =>
  kind === 'product' ? '' : ` ${reason.replace(cameInSentence(productOf(one)), '')}`

/**
 * Says how a variant differs from the printing that is looked at: as its printings in the same language do, else as the
 * others do besides their language.
 */
function differenceOf(printings: readonly Printing[]): readonly string[] {
  if (printings.some(({ is_self: isSelf }) => isSelf)) return []
  const said = printings.flatMap(one =>
    one.variant_kind === 'language' || one.variant_kind === 'unknown'
      ? []
      : `${kinds[one.variant_kind]}.${reasonOf(one)}`
  )
  if (said.length > 0) return each(said)
  if (printings.some(({ variant_kind: kind }) => kind === 'unknown')) return [`${kinds.unknown}.`]
  const others = each(printings.flatMap(({ differs_in: differsIn }) => differsIn.map(one => differences[one])))
  return others.length === 0 ? [] : [`Differs: ${others.join(', ')}.`]
}

/** The variants of a number with the printings of each; the ordinary one comes first, the others in natural order. */
const byVariant = (printings: readonly Printing[]): readonly (readonly [string, readonly Printing[]])[] =>
  [...new Set(printings.map(({ variant }) => variant ?? ''))]
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map(name => [name, printings.filter(({ variant }) => (variant ?? '') === name)])

type Props = Readonly<{
  printings: readonly Printing[]
  /** The SKU of the printing that the page is about. */
  here: string | undefined
}>

/** The printings of a number as faces: languages across, variants down, and what tells them apart. */
export function PrintingGrid({ printings, here }: Props): VNode {
  const own = printings.find(({ is_self: isSelf }) => isSelf)?.lang ?? ''
  const languages = each([own, ...printings.map(({ lang }) => lang).sort()])
  const [rarities, products] = [each(printings.map(({ rarity }) => rarity ?? '')), each(printings.map(productOf))]
  /** What is not the same of all printings. */
  const telling = (one: Printing): string =>
    each([
      one.sku === here ? 'This printing' : '',
      rarities.length > 1 ? (one.rarity ?? '') : '',
      products.length > 1 ? productOf(one) : ''
    ]).join(' · ')
  return (
    <div class="printings">
      <Table
        caption="A row for each variant, a column for each language"
        rows={byVariant(printings)}
        columns={[
          {
            head: 'Variant',
            cell: ([variant, all]) => (
              <>
                {variant === '' ? 'Ordinary' : variant} <small>{differenceOf(all).join(' ')}</small>
              </>
            )
          },
          ...languages.map(lang => ({
            head: languageName(lang),
            cell: ([variant, all]: readonly [string, readonly Printing[]]) => {
              const one = all.find(printing => printing.lang === lang)
              if (one === undefined) return null
              const face = (
                <>
                  <CardFace
                    sku={one.sku}
                    size="thumb"
                    alt={`${languageName(lang)}, ${variant === '' ? 'ordinary' : variant}`}
                    isLate
                  />
                  <small>{telling(one)}</small>
                </>
              )
              return one.sku === here ? (
                <span class="here" aria-current="true">
                  {face}
                </span>
              ) : (
                <a href={`/product/${encodeURIComponent(one.sku)}`}>{face}</a>
              )
            }
          }))
        ]}
      />
    </div>
  )
}
