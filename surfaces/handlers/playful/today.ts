import { Type, nullable, reply, type DataOf } from 'pantry/handler'
import { dayOf } from '../../common/calendar.ts'
import { defineHandler } from '../../define.ts'
import { subjectOf } from '../../playful/tarot-draw.ts'

/** The surfaces that change with the UTC day, by their names in the response. */
const daily = {
  vibe: 'playful/the-vibe',
  koan: 'playful/koan',
  haiku: 'playful/haiku',
  blessing: 'playful/blessing',
  dadjoke: 'playful/dadjoke',
  joke: 'playful/joke',
  soundtrack: 'playful/soundtrack',
  tarot: 'playful/tarot/draw'
} as const

const Shown = Type.Object(
  {
    url: Type.String({ description: 'Where it has a page of its own.' }),
    shows: Type.Unknown({ description: 'What that surface shows today.' })
  },
  { description: 'What one surface shows today.' }
)

const Dated = Type.Object({ date: Type.String() })
const Change = Type.Object({ id: Type.String(), summary: Type.String(), surface: Type.String() })

/** Returns what the daily surfaces show today. It requests them in process, so that it agrees with them. */
export default defineHandler({
  corpora: { 'pillow-book': Dated, changelog: Type.Object({ ...Dated.properties, ...Change.properties }) },
  reply: Type.Object({
    '@kind': Type.Literal('today'),
    date: Type.String({ format: 'date', description: 'The UTC day.' }),
    next_day_at: Type.String({ format: 'date-time', description: 'When everything here changes.' }),
    today: Type.Object(Object.fromEntries(Object.keys(daily).map(name => [name, nullable(Shown)]))),
    pillow_book_entries_today: Type.Integer({ minimum: 0, description: 'Pages of the pillow book with this date.' }),
    changes_today: Type.Array(Change, { description: 'Entries of the changelog with this date.' }),
    same_for_everyone: Type.Boolean(),
    walking_past_is_honored: Type.Boolean()
  }),
  async handle({ ask, now, corpora, pathTo }) {
    const date = dayOf(now)
    const found = await Promise.all(
      Object.entries(daily).map(async ([name, id]): Promise<readonly [string, DataOf<typeof Shown> | null]> => {
        const url = pathTo(id)
        const asked = await ask(url)
        return [name, asked?.status === 200 ? { url, shows: subjectOf(asked.body, asked.surface.shows?.member) } : null]
      })
    )
    return reply({
      '@kind': 'today',
      date,
      next_day_at: new Date(Date.parse(date) + 86_400_000).toISOString(),
      today: Object.fromEntries(found),
      pillow_book_entries_today: corpora['pillow-book'].entries.filter(entry => entry.date === date).length,
      changes_today: corpora.changelog.entries
        .filter(entry => entry.date === date)
        .map(({ id, summary, surface }) => ({ id, summary, surface })),
      same_for_everyone: true,
      walking_past_is_honored: true
    })
  }
})
