import type { DataOf } from 'pantry/data'
import { Table, type VNode } from 'pantry/page'
import { OwnForm } from '../../accounts/page/forms.tsx'
import type { Imported, ListName, Lists } from '../schemas.ts'

/** What a list is called. */
const titles: Readonly<Record<ListName, string>> = { have: 'What you have', want: 'What you look for' }

/** Takes pasted lines. */
export const PasteForm = ({ token }: Readonly<{ token: string }>): VNode => (
  <OwnForm action="/account/cards" token={token} button="Put them on the list">
    <fieldset>
      <legend>Which list</legend>
      <label><input type="radio" name="list" value="have" checked /> {titles.have}</label>
      <label><input type="radio" name="list" value="want" /> {titles.want}</label>
    </fieldset>
    <label for="text">Cards, one in each line</label>
    <textarea id="text" name="text" rows={8} required maxLength={40_000} spellcheck={false} aria-describedby="text-hint"></textarea>
    <small id="text-hint">A SKU, or a number as it is printed, with how many in front of it: <code>2 OP01-001</code>. Where several cards have the number, you are told the SKUs to choose from.</small>
    <label for="game">Game of the numbers</label>
    <input type="text" id="game" name="game" maxLength={40} placeholder="one-piece" autocapitalize="none" spellcheck={false} />
    <label for="lang">Language of the cards</label>
    <input type="text" id="lang" name="lang" maxLength={35} placeholder="en" autocapitalize="none" spellcheck={false} />
  </OwnForm>
)

/** Both lists, with a button that takes a card off. */
export const CardLists = ({ lists, token }: Readonly<{ lists: DataOf<typeof Lists>, token: string }>): VNode => (
  <>
    {(['have', 'want'] as const).map(list => (
      <section>
        <h2>{titles[list]}</h2>
        <Table caption={`${titles[list]}: ${lists[list].length} of at most ${lists.most} cards`} rows={lists[list]} none="Nothing yet." columns={[
          { head: 'Card', cell: ({ sku, name }) => <a href={`/product/${encodeURIComponent(sku)}`}>{name ?? sku}</a> },
          { head: 'SKU', cell: ({ sku }) => <code>{sku}</code> },
          { head: 'How many', cell: ({ quantity }) => quantity },
          { head: '', cell: ({ sku, name }) => <OwnForm action="/account/cards/remove" token={token} button="Take off" label={`Take off ${name ?? sku}`}>
            <input type="hidden" name="list" value={list} /><input type="hidden" name="sku" value={sku} />
          </OwnForm> }
        ]} />
      </section>
    ))}
  </>
)

const meanings: Readonly<Record<DataOf<typeof Imported>['lines'][number]['status'], string>> = {
  added: 'on the list', not_found: 'no card was found', ambiguous: 'it means several cards: write the SKU of one', invalid: 'no line of a list: write how many, up to 999, and a card', full: 'the list is full'
}

/** What became of each pasted line. */
export const ImportedLines = ({ imported: { list, added, lines } }: Readonly<{ imported: DataOf<typeof Imported> }>): VNode => (
  <>
    <p role="status">{added} of {lines.length} lines are on the list: {titles[list].toLowerCase()}.</p>
    <Table caption="What became of each line" rows={lines} none="No line says anything." columns={[
      { head: 'Line', cell: ({ line }) => line },
      { head: 'Text', cell: ({ text }) => text },
      { head: 'What became of it', cell: ({ status, sku, quantity, candidates }) => <>{meanings[status]}{sku !== null && <>: {quantity} × <code>{sku}</code></>}{candidates.length > 0 && <><br /><small>{candidates.join(', ')}</small></>}</> }
    ]} />
  </>
)
