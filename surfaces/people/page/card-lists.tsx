import type { DataOf } from 'pantry/data'
import { Table, type VNode } from 'pantry/page'
import { maxLines } from '../card-lists.ts'
import type { Imported, ListName, Lists } from '../collector-schemas.ts'
import { languageNames, type NamedGame } from '../../common/chosen-names.ts'
import { SessionForm } from './forms.tsx'

const titles: Readonly<Record<ListName, string>> = { have: 'What you have', want: 'What you look for' }

export const PasteForm = ({ token, games }: Readonly<{ token: string; games: readonly NamedGame[] }>): VNode => (
  <SessionForm action="/account/cards" token={token} button="Put them on the list" hasFile>
    <fieldset>
      <legend>Which list</legend>
      <label>
        <input type="radio" name="list" value="have" checked /> {titles.have}
      </label>
      <label>
        <input type="radio" name="list" value="want" /> {titles.want}
      </label>
    </fieldset>
    <label for="text">Cards, one in each line</label>
    <textarea
      id="text"
      name="text"
      rows={8}
      maxLength={40_000}
      spellcheck={false}
      aria-describedby="text-hint"
    ></textarea>
    <small id="text-hint">
      A SKU, a name, or a number as it is printed, with how many in front of it: <code>2 OP01-001</code>. A number means
      the ordinary printing, and a SKU names any other. Where a number means cards of several languages or games, and
      you name neither below, you choose one.
    </small>
    <label for="file">Or a file with them</label>
    <input type="file" id="file" name="file" accept=".txt,.csv,text/plain,text/csv" aria-describedby="file-hint" />
    <small id="file-hint">
      At most {maxLines} lines: those of a text file, or a table (CSV) of another program. It needs a column{' '}
      <code>sku</code>, <code>number</code> or <code>name</code>, and may have one <code>quantity</code>. Columns of
      prices, pictures and notes are not read, and the file is not kept.
    </small>
    <label for="game">Game of the numbers</label>
    <select id="game" name="game">
      <option value="">Any game</option>
      {games
        .filter(({ curated }) => curated)
        .map(({ token: game, name }) => (
          <option value={game}>{name}</option>
        ))}
    </select>
    <label for="lang">Language of the cards</label>
    <select id="lang" name="lang">
      <option value="">Any language</option>
      {[...languageNames].map(([tag, name]) => (
        <option value={tag}>{name}</option>
      ))}
    </select>
  </SessionForm>
)

export const CardLists = ({ lists, token }: Readonly<{ lists: DataOf<typeof Lists>; token: string }>): VNode => (
  <>
    {(['have', 'want'] as const).map(list => (
      <section>
        <h2>{titles[list]}</h2>
        <Table
          caption={`${titles[list]}: ${lists[list].length} of at most ${lists.most} cards`}
          rows={lists[list]}
          none="Nothing yet."
          columns={[
            {
              head: 'Card',
              cell: ({ sku, name }) => <a href={`/product/${encodeURIComponent(sku)}`}>{name ?? sku}</a>
            },
            { head: 'SKU', cell: ({ sku }) => <code>{sku}</code> },
            { head: 'How many', cell: ({ quantity }) => quantity },
            {
              head: '',
              cell: ({ sku, name }) => (
                <SessionForm action="/account/cards/remove" token={token} button="Take off" about={name ?? sku}>
                  <input type="hidden" name="list" value={list} />
                  <input type="hidden" name="sku" value={sku} />
                </SessionForm>
              )
            }
          ]}
        />
      </section>
    ))}
  </>
)

type Lines = DataOf<typeof Imported>['lines']

const meanings: Readonly<Record<Lines[number]['status'], string>> = {
  added: 'on the list',
  not_found: 'no card was found',
  ambiguous: 'it means several cards: press the one you mean',
  invalid: 'no line of a list: write how many, up to 999, and a card',
  full: 'the list is full'
}

const chooser = 'choose'

type Props = Readonly<{
  imported: DataOf<typeof Imported>
  token: string
  game: string | undefined
  lang: string | undefined
}>

/**
 * Shows what became of each pasted line. A line that matches several cards has a button for each, which puts that card
 * on the list and submits the other such lines again.
 */
export const ImportedLines = ({ imported: { list, added, lines }, token, game, lang }: Props): VNode => {
  const open = lines.filter(({ status }) => status === 'ambiguous')
  return (
    <>
      <p role="status">
        {added} of {lines.length} {lines.length === 1 ? 'line is' : 'lines are'} on the list:{' '}
        {titles[list].toLowerCase()}.
      </p>
      <Table
        caption="What became of each line"
        rows={lines}
        none="No line says anything."
        columns={[
          { head: 'Line', cell: ({ line }) => line },
          { head: 'Text', cell: ({ text }) => text },
          {
            head: 'What became of it',
            cell: line => (
              <>
                {meanings[line.status]}
                {line.sku !== null && (
                  <>
                    : {line.quantity} ×{' '}
                    <a href={`/product/${encodeURIComponent(line.sku)}`}>
                      <code>{line.sku}</code>
                    </a>
                  </>
                )}
                {line.candidates.length > 0 && (
                  <ul class="views">
                    {line.candidates.map(sku => (
                      <li>
                        <button
                          type="submit"
                          form={chooser}
                          name="choice"
                          value={`${open.indexOf(line) + 1} ${line.quantity ?? 1} ${sku}`}
                        >
                          {sku}
                        </button>
                      </li>
                    ))}
                  </ul>
                )}
              </>
            )
          }
        ]}
      />
      {open.length > 0 && (
        <form method="post" action="/account/cards" id={chooser}>
          <input type="hidden" name="token" value={token} />
          <input type="hidden" name="list" value={list} />
          <input type="hidden" name="game" value={game} />
          <input type="hidden" name="lang" value={lang} />
          <input type="hidden" name="text" value={open.map(({ text }) => text).join('\n')} />
        </form>
      )}
    </>
  )
}
