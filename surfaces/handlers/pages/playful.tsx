import { Text } from 'pantry/data'
import { definePage, Facts, Type } from 'pantry/page'
import { Card, Deck, Draw, Pack, pathOf, Place, Pointer, spreadName, Trump } from '../../playful/tarot.tsx'

export const tarot = definePage({
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

export const tarotCard = definePage({
  params: Type.Object({ slug: Type.String({ minLength: 1, maxLength: 160 }) }),
  shows: { found: Type.Object({ disclaimer: Text, card: Card }) },
  besides: { pack: Deck },
  view: ({
    shown: {
      found: { card, disclaimer }
    },
    beside: { pack }
  }) => {
    const [before, after] = [-1, 1].map(step => pack.data?.deck.find(({ number }) => number === card.number + step))
    return {
      title: card.name,
      description: card.traditional_meaning,
      main: (
        <>
          <div class="one-trump">
            <Trump card={card} />
            <div>
              <p>{card.traditional_meaning}</p>
              <h2>Upright</h2>
              <p>{card.upright}</p>
              <h2>Reversed</h2>
              <p>{card.reversed}</p>
              <h2>To take along</h2>
              <p>
                <em>{card.fortune_line}</em>
              </p>
              <Pointer card={card} />
              <p class="note">{disclaimer}</p>
            </div>
          </div>
          <nav aria-label="Cards before and after">
            <ul>
              {before !== undefined && (
                <li>
                  <a href={pathOf(before)} rel="prev">
                    {before.name}
                  </a>
                </li>
              )}
              <li>
                <a href="/tarot">Draw a card</a>
              </li>
              {after !== undefined && (
                <li>
                  <a href={pathOf(after)} rel="next">
                    {after.name}
                  </a>
                </li>
              )}
            </ul>
          </nav>
        </>
      )
    }
  }
})

export const callingCard = definePage({
  shows: {
    card: Type.Object({
      holder: Text,
      edition: Text,
      hash: Text,
      witnessed: Text,
      image_url: Text,
      how_to_read_it: Text,
      this_card: Type.Object({ proves: Text, deterministic: Text })
    })
  },
  query: Type.Object({
    name: Type.Optional(Type.String({ maxLength: 200 })),
    night: Type.Optional(Type.String({ maxLength: 10 }))
  }),
  view: ({ shown: { card }, query: { name = '' } }) => ({
    title: 'Calling card',
    main: (
      <>
        <p>A card with your name on it. Nothing of it is kept; the same name makes the same card until midnight UTC.</p>
        <form class="search" action="/calling-card">
          <label>
            Your name <input type="text" name="name" value={name} maxLength={60} autocomplete="off" />
          </label>
          <label class="small">
            Time of day
            <select name="night">
              <option value="0">Day</option>
              <option value="1" selected={card.edition === 'night'}>
                Night
              </option>
            </select>
          </label>
          <button type="submit">Draw my card</button>
        </form>
        <h2>{card.holder}</h2>
        <div class="one-trump">
          <img
            class="calling-card"
            src={card.image_url}
            width={500}
            height={700}
            alt={`Calling card of ${card.holder}, by ${card.edition}`}
          />
          <div>
            <p>{card.how_to_read_it}</p>
            <p>
              {card.this_card.deterministic} It proves {card.this_card.proves}.
            </p>
            <Facts of={{ Date: card.witnessed, Hash: <code>{card.hash}</code> }} />
            <p>
              <a href={card.image_url} download="calling-card.svg">
                Keep the card as an image
              </a>
            </p>
          </div>
        </div>
      </>
    )
  })
})
