import { definePage, Type } from 'pantry/page'
import { Card, Deck, pathOf, Pointer, Trump } from '../../../playful/tarot.tsx'

export default definePage({
  params: Type.Object({ slug: Type.String({ minLength: 1, maxLength: 160 }) }),
  shows: { found: Type.Object({ disclaimer: Type.String(), card: Card }) },
  besides: { pack: Deck },
  view: ({
    shown: {
      found: { card, disclaimer }
    },
    beside: { pack }
  }) => {
    const { deck } = pack.data ?? { deck: [] }
    const [before, after] = [
      deck.find(({ number }) => number === card.number - 1),
      deck.find(({ number }) => number === card.number + 1)
    ]
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
              {before === undefined ? null : (
                <li>
                  <a href={pathOf(before)} rel="prev">
                    {before.name}
                  </a>
                </li>
              )}
              <li>
                <a href="/tarot">Draw a card</a>
              </li>
              {after === undefined ? null : (
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
