import { definePage, Type } from 'pantry/page'
import { Deck, Draw, Pack, Place, spreadName } from '../../../playful/tarot.tsx'

export default definePage({
  shows: { draw: Draw, pack: Deck },
  query: Type.Object({
    seed: Type.Optional(Type.String({ maxLength: 200 })),
    spread: Type.Optional(Type.String({ maxLength: 20 }))
  }),
  view: ({ shown: { draw, pack }, query: { seed = '' } }) => ({
    title: draw.drawn_from === 'day' ? 'Tarot of the day' : 'Your tarot',
    main: (
      <>
        <form class="search" action="/tarot">
          <label>
            A question, or any text <input type="text" name="seed" value={seed} maxLength={200} autocomplete="off" />
          </label>
          <label class="small">
            How many cards
            <select name="spread">
              {draw.protocol.spread_names.map(name => (
                <option value={name} selected={name === draw.spread}>
                  {spreadName(name)}
                </option>
              ))}
            </select>
          </label>
          <button type="submit">Draw</button>
        </form>
        <p class="note">
          The same text draws the same cards, and none is kept. Without a text they are those of the day, the same for
          everyone. {draw.disclaimer}
        </p>
        <h2>{draw.spread_shape.name}</h2>
        <p>{draw.spread_shape.how_to_read_it}</p>
        <ol class={`spread ${draw.spread}`}>
          {draw.draws.map(one => (
            <Place draw={one} />
          ))}
        </ol>
        <h2>The pack</h2>
        <p>{pack.history}</p>
        <Pack deck={pack.deck} />
      </>
    )
  })
})
