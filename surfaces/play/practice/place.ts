import { emit, trashCharacter, type MatchDraft } from './events.ts'
import { cardOf, type CardIndex, type Player } from './state.ts'

export const characterLimit = 5

/**
 * Puts a Character or a Stage on the field. The Character named by `replace`, or the previous Stage, is trashed first.
 */
export function placeCard(
  draft: MatchDraft,
  player: Player,
  index: CardIndex,
  cost: number,
  replace: string | undefined
): void {
  const { state } = draft
  const side = state.sides[player]
  const card = cardOf(state, index)
  const prefix = player === 'player_1' ? 'p1' : 'p2'
  side.named += 1
  if (card.category === 'stage') {
    if (side.stage !== null) {
      side.trash.push(side.stage.card)
      emit(draft, {
        kind: 'card_replaced',
        player,
        instance: side.stage.id,
        card_number: cardOf(state, side.stage.card).number,
        don_returned: 0
      })
    }
    side.stage = { id: `${prefix}_s${side.named}`, card: index }
    emit(draft, {
      kind: 'card_played',
      player,
      instance: side.stage.id,
      card_number: card.number,
      cost,
      power: 0,
      zone: 'stage_area'
    })
    return
  }
  if (replace !== undefined) emit(draft, { kind: 'card_replaced', player, ...trashCharacter(draft, player, replace) })
  const id = `${prefix}_c${side.named}`
  side.field.push({ id, card: index, rested: false, don: 0, since: state.turn })
  emit(draft, {
    kind: 'card_played',
    player,
    instance: id,
    card_number: card.number,
    cost,
    power: card.power ?? 0,
    zone: 'character_area'
  })
}
