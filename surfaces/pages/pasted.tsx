import type { DataOf } from 'pantry/data'
import { Table, type VNode } from 'pantry/page'
import { formatCount, languageName } from '../common/words.ts'
import { tableForms, textForms } from '../lists/forms.ts'
import { mostCharacters, mostLines, type PastedList } from '../lists/list-answers.ts'
import { CardFace } from './card-face.tsx'
import type { GameNames } from './schemas.ts'

type Pasted = DataOf<typeof PastedList>
type Line = Pasted['lines'][number]

const titles = new Map<string, string>([...textForms, ...tableForms].map(({ id, title }) => [id, title]))

const certaintyWords: Readonly<Record<Line['certainty'], string>> = {
  exact: 'this card',
  likely: 'probably this card',
  ambiguous: 'one of several cards',
  none: 'no card is held',
  unread: 'not read'
}

/** A form for a list that is pasted or in a file. */
export const ListForm = ({ games: { games } }: Readonly<{ games: DataOf<typeof GameNames> }>): VNode => (
  <form action="/list" method="post" enctype="multipart/form-data">
    <label for="text">Cards, one in each line</label>
    <textarea
      id="text"
      name="text"
      rows={10}
      maxLength={mostCharacters}
      spellcheck={false}
      aria-describedby="text-hint"
      placeholder={'4xOP01-016\n2 Nami'}
    ></textarea>
    <small id="text-hint">
      As other programs copy them: {textForms.map(({ title }) => title).join(', ')}; or a table (CSV) of{' '}
      {tableForms
        .slice(0, -1)
        .map(({ title }) => title)
        .join(', ')}
      , or any with a column <code>sku</code>, <code>number</code> or <code>name</code>.
    </small>
    <label for="file">Or a file with them</label>
    <input type="file" id="file" name="file" accept=".txt,.csv,text/plain,text/csv" aria-describedby="file-hint" />
    <small id="file-hint">
      At most {mostLines} lines. Columns of prices, pictures and notes are not read, and nothing of the list is kept.
    </small>
    <label for="game">Game</label>
    <select id="game" name="game">
      <option value="">Any game</option>
      {games
        .filter(({ curated }) => curated)
        .map(({ token, short_name: name }) => (
          <option value={token}>{name}</option>
        ))}
    </select>
    <label for="write">Write it again as</label>
    <select id="write" name="write">
      <option value="">Do not write it again</option>
      {[...titles].map(([id, title]) => (
        <option value={id}>{title}</option>
      ))}
    </select>
    <button type="submit">Find the cards</button>
  </form>
)

const CardLink = ({ card }: Readonly<{ card: Line['nearest'][number] }>): VNode => (
  <a class="found" href={`/product/${encodeURIComponent(card.sku)}`}>
    <CardFace sku={card.sku} size="thumb" alt="" isLate />
    {card.name_en ?? card.name ?? card.sku} ({card.printed_code ?? card.set_code} {card.card_number}
    {card.lang === null ? '' : `, ${languageName(card.lang)}`})
  </a>
)

const meantBy = ({ card, nearest, problem }: Line): VNode => (
  <>
    {problem}
    {card !== null && <CardLink card={card} />}
    {nearest.length > 0 && (
      <ul>
        {nearest.map(one => (
          <li>
            <CardLink card={one} />
          </li>
        ))}
      </ul>
    )}
  </>
)

/** A list that was read: the card of each line, and the list in another form where one was asked for. */
export const PastedLines = ({
  list: { form, columns_left_out: leftOut, lines, nearest_left_out: unsought, written }
}: Readonly<{ list: Pasted }>) => (
  <>
    <p>
      {form === null ? 'No line has a form that is known.' : `Read as ${titles.get(form) ?? form}.`}
      {leftOut.length > 0 && ` These columns were not read: ${leftOut.join(', ')}.`}
    </p>
    {unsought.length > 0 && (
      <p>
        So many lines mean no card that nothing near was looked for to {unsought.length === 1 ? 'line' : 'lines'}{' '}
        {unsought.join(', ')}.
      </p>
    )}
    {written !== null && (
      <section>
        <h2>{titles.get(written.form)}</h2>
        <p>
          To copy into a file <code>{written.file_name}</code>:
        </p>
        <pre tabIndex={0}>{written.text}</pre>
        {written.left_out.length > 0 && (
          <p>
            Without {written.left_out.length === 1 ? 'line' : 'lines'} {written.left_out.join(', ')}, which this form
            cannot say.
          </p>
        )}
      </section>
    )}
    <Table
      caption={`The cards of ${formatCount(lines.length)} ${lines.length === 1 ? 'line' : 'lines'}`}
      rows={lines}
      columns={[
        { head: 'Line', cell: ({ text }) => text },
        { head: 'Copies', cell: ({ count }) => count ?? '', isNumber: true },
        { head: 'How sure', cell: ({ certainty }) => certaintyWords[certainty] },
        { head: 'Card', cell: meantBy }
      ]}
    />
  </>
)
