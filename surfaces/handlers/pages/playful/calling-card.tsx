import { definePage, Facts, Type } from 'pantry/page'

const text = Type.String()

export default definePage({
  shows: {
    card: Type.Object({
      holder: text,
      edition: text,
      hash: text,
      witnessed: text,
      image_url: text,
      how_to_read_it: text,
      this_card: Type.Object({ proves: text, deterministic: text })
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
